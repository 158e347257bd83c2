import { sha256 } from '../core/sha256.ts'
import type { EditionSource, Editions, NamedEdition } from './covers/editions.ts'
import type { MadeFile, MadeFiles } from './image-cache.ts'

/** A picture that the engine draws from words, and the files wanted of it. All that their bytes follow from, beside the engine. */
export interface DrawnTask {
  readonly source: Extract<EditionSource, { is: 'drawn' }>
  readonly editions: readonly NamedEdition[]
}

/** By what the files of a drawing are kept: the same, in whichever order its fields were written down. */
export const toDrawnKey = (engine: string, { source, editions }: DrawnTask): string =>
  sha256(JSON.stringify([engine, source.title, source.excerpt, source.style, editions.map(toParts)]))

const toParts = ({ purpose, width, height, type, quality, lettering }: NamedEdition) => [
  purpose,
  width,
  height ?? 0,
  type,
  quality,
  lettering ? [lettering.title, lettering.imprint ?? '', lettering.accent ?? ''] : [],
]

/** What the names of a drawing's files have of its key. */
export const toMark = (key: string): string => key.slice(0, 10)

/** What a file of a drawing is called, known before it is drawn: the same name, the same bytes. */
export const toDrawnName = (key: string, { purpose, type }: NamedEdition): string => `${purpose}-${toMark(key)}.${type}`

/** What was made, by the names of what was wanted. */
export const toNamed = ({ alt, files }: Editions, editions: readonly NamedEdition[]): MadeFiles => ({
  alt,
  files: files.map((file, place): MadeFile => {
    const { purpose = '', type = 'jpg' } = editions[place] ?? {}
    return { ...file, purpose, type }
  }),
})
