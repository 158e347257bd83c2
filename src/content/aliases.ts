import { z } from 'zod'
import { line } from './front-matter.ts'

/** Former addresses of a text, which redirect to its present one. */
export const aliases = z
  .array(line().regex(/^\/(?:[^\s/?#%;\\]+\/)*[^\s/?#%;\\]+$/, 'must be an address like /2019/an-old-name'))
  .default([])

/** A text and its former addresses. */
interface Moved {
  /** Its present address. */
  readonly path: string
  readonly aliases: readonly string[]
}

/**
 * Maps each former address to the present one; both are percent-encoded, as in requests.
 *
 * @throws Error when two texts claim the same former address
 */
export function toRedirects(texts: readonly Moved[]): Record<string, string> {
  const redirects: Record<string, string> = {}
  for (const { path, aliases } of texts)
    for (const alias of aliases.map(encodeURI)) {
      const other = redirects[alias]
      if (other !== undefined && other !== path)
        throw new Error(`${decodeURI(alias)} is an alias of ${decodeURI(other)} and of ${decodeURI(path)}; keep one`)
      redirects[alias] = encodeURI(path)
    }
  return redirects
}
