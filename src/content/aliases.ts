import { z } from 'zod'
import { line } from './front-matter.ts'

/** Addresses that a text had before, which lead to where it is now. */
export const aliases = z
  .array(line().regex(/^\/(?:[^\s/?#%;\\]+\/)*[^\s/?#%;\\]+$/, 'must be an address like /2019/an-old-name'))
  .default([])

/** A text that has moved. */
interface Moved {
  /** Where it is now. */
  readonly path: string
  readonly aliases: readonly string[]
}

/**
 * Where each former address leads, as addresses are requested.
 *
 * @throws Error when two texts claim one
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
