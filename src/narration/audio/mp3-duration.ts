import { readFrameHeader } from './info-frame.ts'

/** Most bytes between frames that are no known tag; a file with more is not an MP3. */
const maxJunkBytes = 64 * 1024
/** Random bytes may look like a frame, but not like this many frames. */
const minFrames = 4
const id3v1Bytes = 128
/** The length of the header and of the footer of an APE tag. */
const apeBytes = 32

const textAt = (bytes: Uint8Array, place: number, length: number): string =>
  Buffer.from(bytes.subarray(Math.max(0, place), Math.max(0, place + length))).toString('latin1')

/** The length of the ID3v2 tag at a place; 0 when there is none. */
function id3v2Bytes(bytes: Uint8Array, place: number): number {
  if (textAt(bytes, place, 3) !== 'ID3') return 0
  return 10 + bytes.subarray(place + 6, place + 10).reduce((sum, each) => sum * 128 + (each & 127), 0)
}

/** The place where the tags at the end of a file begin: an APE tag, which may hold a picture, and one of ID3v1. */
function findEnd(bytes: Uint8Array): number {
  const isId3v1 = textAt(bytes, bytes.length - id3v1Bytes, 3) === 'TAG'
  const end = bytes.length - (isId3v1 ? id3v1Bytes : 0)
  if (textAt(bytes, end - apeBytes, 8) !== 'APETAGEX') return end
  const footer = Buffer.from(bytes.subarray(end - apeBytes, end))
  // The size counts the footer, but not the header, whose presence the highest bit of the flags states.
  return end - footer.readUInt32LE(12) - (footer.readUInt8(23) >= 128 ? apeBytes : 0)
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
  const end = findEnd(bytes)
  for (let place = 0; place + 4 <= end && junk <= maxJunkBytes; ) {
    const header = readFrameHeader(bytes, place)
    if (!header || header.bytes < 24) {
      const tag = id3v2Bytes(bytes, place)
      if (tag === 0) junk += 1
      place += tag || 1
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
