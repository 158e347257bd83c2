import { sha256 } from '../core/sha256.ts'
import type { EditionSource, Editions, NamedEdition } from './covers/editions.ts'
import type { MadeFile, MadeFiles } from './image-cache.ts'

/**
 * A picture that the engine draws from words, and the files wanted of it. With the version of the engine, it determines
 * all bytes of the files.
 */
export interface DrawnTask {
  readonly source: Extract<EditionSource, { is: 'drawn' }>
  readonly editions: readonly NamedEdition[]
}

/** The cache key of a drawing; independent of the order of the fields in the task. */
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

/** The part of the key that stands in the names of a drawing's files. */
export const toMark = (key: string): string => key.slice(0, 10)

/** The file name of an edition. It is known before the drawing exists; the same name means the same bytes. */
export const toDrawnName = (key: string, { purpose, type }: NamedEdition): string => `${purpose}-${toMark(key)}.${type}`

/** Combines the files that were made with the names of the editions. */
export const toNamed = ({ alt, files }: Editions, editions: readonly NamedEdition[]): MadeFiles => ({
  alt,
  files: files.map((file, place): MadeFile => {
    const { purpose = '', type = 'jpg' } = editions[place] ?? {}
    return { ...file, purpose, type }
  }),
})
