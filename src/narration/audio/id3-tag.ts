import nodeId3 from 'node-id3'

/** What the ID3 tag of a file says. */
export type TagInput = {
  title: string
  artist: string
  album?: string
  /** Front cover, JPEG or PNG. 600 pixels square are enough: a larger one delays the first sound. */
  cover?: Uint8Array
  chapters: readonly { title: string; startMs: number; endMs: number }[]
}

/** Stands in the tag, so that those who have only the file know it, too. */
const syntheticVoice = 'Spoken by a synthetic voice.'

const maxCharacters = 500
/** The CTOC frame counts its entries in one byte. */
const maxEntries = 255
/** A text as one line without control characters, which end a frame early in some players. */
const line = (text: string): string =>
  text
    .toWellFormed()
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()
    .slice(0, maxCharacters)

const mimeOf = (image: Uint8Array): string => (image[0] === 0x89 ? 'image/png' : 'image/jpeg')

/** The ID3v2.3 tag that stands before the audio, with chapters (CHAP and CTOC) when there is more than one. */
export function makeId3Tag({ title, artist, album, cover, chapters }: TagInput): Uint8Array {
  const marks = chapters.map((chapter, index) => ({
    elementID: `ch${index}`,
    startTimeMs: chapter.startMs,
    endTimeMs: chapter.endMs,
    tags: { title: line(chapter.title) },
  }))
  const contents = {
    elementID: 'toc',
    isOrdered: true,
    elements: marks.slice(0, maxEntries).map(({ elementID }) => elementID),
    tags: { title: 'Contents' },
  }
  const tag = nodeId3.create({
    title: line(title),
    artist: line(artist),
    ...(album === undefined ? {} : { album: line(album) }),
    language: 'eng',
    comment: { language: 'eng', text: syntheticVoice },
    ...(cover === undefined
      ? {}
      : { image: { mime: mimeOf(cover), type: { id: 3 }, description: '', imageBuffer: Buffer.from(cover) } }),
    ...(marks.length > 1 ? { chapter: marks, tableOfContents: [contents] } : {}),
  })
  return new Uint8Array(tag)
}
