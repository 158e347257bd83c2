const rates = [44_100, 48_000, 32_000]
const kbpsOfMpeg1 = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320]
const kbpsOfMpeg2 = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160]

/** What the four bytes in front of a layer III frame at a place say; undefined when none begins there. */
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

/** The frames of a stretch of MPEG audio that holds nothing else. */
export function countFrames(audio: Uint8Array): number {
  let frames = 0
  for (let place = 0; place < audio.length; frames += 1) {
    const header = readFrameHeader(audio, place)
    if (header === undefined) throw new Error(`no MPEG audio frame at byte ${place}`)
    place += header.bytes
  }
  return frames
}
