import type { DatabaseSync } from 'node:sqlite'
import { z } from 'zod'
import { setBit } from './bits.ts'
import { searchDocumentSchema } from './search-document.ts'
import { type Kind, kinds, type SearchQuery } from './search-query.ts'

const kindSchema = z.object({ row: z.int(), kind: searchDocumentSchema.shape.kind.nullable() })

/**
 * Makes the function that returns a bit for each row that a query searches; undefined for all. It is applied before
 * ranking, so that no result is missed because other kinds have better matches.
 *
 * @param isPage 1 for each row with a page
 */
export function readSearched(db: DatabaseSync, isPage: Uint8Array) {
  // Pages come before the posts and are few. The column `kind` is stored after the long texts, so the rows of posts are
  // not read.
  const getKinds = db.prepare('select row, kind from document where row <= ?').iterate(isPage.lastIndexOf(1))
  const kindOf = new Map(Array.from(getKinds, (found) => kindSchema.parse(found)).map(({ row, kind }) => [row, kind]))
  const known = new Map<string, Int32Array>()

  return ({ collections, kinds: given }: Pick<SearchQuery, 'collections' | 'kinds'>) => {
    const wanted: readonly Kind[] = given ?? kinds
    const isWanted = (kind: Kind): boolean =>
      wanted.includes(kind) && collections.includes(kind === 'post' ? 'posts' : 'pages')
    const found = kinds.filter(isWanted)
    if (found.length === kinds.length) return undefined
    const name = found.join()
    const bits = known.get(name) ?? new Int32Array(Math.ceil(isPage.length / 32))
    if (known.has(name)) return bits
    known.set(name, bits)
    for (const [row, page] of isPage.entries())
      if (found.includes(page === 1 ? (kindOf.get(row) ?? 'page') : 'post')) setBit(bits, row)
    return bits
  }
}
