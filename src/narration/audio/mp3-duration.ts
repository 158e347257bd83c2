import { readFrameHeader } from './info-frame.ts'

/** Most bytes of a file that may lie outside of frames (tags, junk); a file with more is not an MP3. */
const maxJunkBytes = 64 * 1024
/** Random bytes may look like a frame, but not like this many frames. */
const minFrames = 4

/** The place after the ID3v2 tags at the beginning of a file. */
function skipTags(bytes: Uint8Array): number {
  let place = 0
  while (Buffer.from(bytes.subarray(place, place + 3)).toString('latin1') === 'ID3') {
    const size = bytes.subarray(place + 6, place + 10).reduce((sum, each) => sum * 128 + (each & 127), 0)
    place += 10 + size
  }
  return place
}

/** Whether a frame is a Xing, Info or VBRI frame, which describes the file and has no sound. */
const isInfo = (frame: Uint8Array): boolean =>
  /Xing|Info|VBRI/.test(Buffer.from(frame.subarray(0, 48)).toString('latin1'))

/**
 * The length of an MP3 in ms. Counts its frames, which is right at any bit rate.
 *
 * @throws Error with a message of one sentence when the bytes are not an MP3
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
