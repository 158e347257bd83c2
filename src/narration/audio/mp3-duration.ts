import { readFrameHeader } from './info-frame.ts'

/** Between frames there may be a tag or junk of this size; what is longer is no file of sound. */
const maxJunkBytes = 64 * 1024
/** A short run of bytes may look like a frame; this many after each other do not. */
const minFrames = 4

/** Where the ID3v2 tags in front of the sound end. */
function skipTags(bytes: Uint8Array): number {
  let place = 0
  while (Buffer.from(bytes.subarray(place, place + 3)).toString('latin1') === 'ID3') {
    const size = bytes.subarray(place + 6, place + 10).reduce((sum, each) => sum * 128 + (each & 127), 0)
    place += 10 + size
  }
  return place
}

/** Whether a frame says how the others are and holds no sound of its own. */
const isInfo = (frame: Uint8Array): boolean =>
  /Xing|Info|VBRI/.test(Buffer.from(frame.subarray(0, 48)).toString('latin1'))

/**
 * How long an MP3 lasts, counted in frames, which is right at any bit rate.
 *
 * @throws Error of one sentence when the bytes are no MP3
 */
export function mp3DurationMs(bytes: Uint8Array): number {
  let seconds = 0
  let frames = 0
  let junk = 0
  for (let place = skipTags(bytes); place + 4 <= bytes.length && junk <= maxJunkBytes; ) {
    const header = readFrameHeader(bytes, place)
    if (!header || header.bytes < 24) {
      junk += 1
      place += 1
      continue
    }
    if (frames > 0 || !isInfo(bytes.subarray(place, place + header.bytes)))
      seconds += header.samples / header.sampleRate
    frames += 1
    place += header.bytes
  }
  if (frames < minFrames || junk > maxJunkBytes) throw new Error('the file is no MP3')
  return Math.round(seconds * 1000)
}
