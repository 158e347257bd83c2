const rates = [44_100, 48_000, 32_000]
const kbpsOfMpeg1 = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320]
const kbpsOfMpeg2 = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160]

/** Reads the four-byte header of an MPEG layer III frame at a place; undefined when no frame begins there. */
export function readFrameHeader(bytes: Uint8Array, place: number) {
  const [sync = 0, kind = 0, rateByte = 0, mode = 0] = bytes.subarray(place, place + 4)
  const version = (kind >> 3) & 3
  if (sync !== 0xff || (kind & 0xe0) !== 0xe0 || ((kind >> 1) & 3) !== 1 || version === 1) return undefined
  const isMpeg1 = version === 3
  const rate = rates[(rateByte >> 2) & 3]
  const kbps = (isMpeg1 ? kbpsOfMpeg1 : kbpsOfMpeg2)[rateByte >> 4]
  if (rate === undefined || !kbps) return undefined
  const sampleRate = isMpeg1 ? rate : version === 2 ? rate / 2 : rate / 4
  const samples = isMpeg1 ? 1152 : 576
  const isPadded = ((rateByte >> 1) & 1) === 1
  const size = Math.floor((samples / 8) * ((kbps * 1000) / sampleRate)) + (isPadded ? 1 : 0)
  return { isMpeg1, sampleRate, kbps, samples, isMono: mode >> 6 === 3, isPadded, bytes: size }
}

/**
 * Counts the frames of MPEG audio that contains nothing else.
 *
 * @throws Error when the bytes are not consecutive frames
 */
export function countFrames(audio: Uint8Array): number {
  let frames = 0
  for (let place = 0; place < audio.length; frames += 1) {
    const header = readFrameHeader(audio, place)
    if (header === undefined) throw new Error(`no MPEG audio frame at byte ${place}`)
    place += header.bytes
  }
  return frames
}

/** Samples of silence that LAME adds before the sound. */
const encoderDelay = 576
const everyField = 15
const quality = 57
const tocBytes = 100
const constantBitrate = 1

const crcTable = Uint16Array.from({ length: 256 }, (_, byte) => {
  let crc = byte
  for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ 0xa001 : crc >>> 1
  return crc
})

const crc16 = (bytes: Uint8Array): number =>
  bytes.reduce((crc, byte) => (crcTable[(crc ^ byte) & 255] ?? 0) ^ (crc >>> 8), 0)

/**
 * The first frame of a stored file, which tells players how many samples there are, what to cut off at both ends and
 * how to seek: with it, decoded audio has exactly the samples that were encoded, at their places. The layout is Xing's
 * with LAME's extension, as its `VbrTag.c` writes it.
 */
export function makeInfoFrame(audio: Uint8Array, samples: number): Uint8Array {
  const header = readFrameHeader(audio, 0)
  if (header === undefined) throw new Error('no MPEG audio to describe')
  const frames = countFrames(audio)
  const size = header.bytes - (header.isPadded ? 1 : 0)
  const frame = Buffer.alloc(size)
  frame.set(audio.subarray(0, 4))
  frame.writeUInt8(frame.readUInt8(1) | 1, 1)
  frame.writeUInt8(frame.readUInt8(2) & ~2, 2)

  const sideInfo = header.isMpeg1 ? (header.isMono ? 17 : 32) : header.isMono ? 9 : 17
  const xing = 4 + sideInfo
  frame.write('Info', xing, 'latin1')
  frame.writeUInt32BE(everyField, xing + 4)
  frame.writeUInt32BE(frames, xing + 8)
  frame.writeUInt32BE(size + audio.length, xing + 12)
  for (let percent = 0; percent < tocBytes; percent += 1)
    frame.writeUInt8(Math.floor((percent * 256) / tocBytes), xing + 16 + percent)
  frame.writeUInt32BE(quality, xing + 16 + tocBytes)

  const lame = xing + 20 + tocBytes
  const padding = Math.max(0, Math.min(0xfff, frames * header.samples - encoderDelay - samples))
  frame.write('LAME3.100', lame, 'latin1')
  frame.writeUInt8(constantBitrate, lame + 9)
  frame.writeUInt8(header.kbps, lame + 20)
  frame.writeUIntBE((encoderDelay << 12) | padding, lame + 21, 3)
  frame.writeUInt32BE(size + audio.length, lame + 28)
  frame.writeUInt16BE(crc16(audio), lame + 32)
  frame.writeUInt16BE(crc16(frame.subarray(0, lame + 34)), lame + 34)
  return new Uint8Array(frame)
}
