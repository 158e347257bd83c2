import { countFrames, readFrameHeader } from './mp3-frame.ts'

/** Silence that LAME puts in front of the sound. */
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
