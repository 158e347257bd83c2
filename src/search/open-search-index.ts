import { DatabaseSync } from 'node:sqlite'
import { z } from 'zod'
import { keepRecent } from '../core/keep-recent.ts'
import { type Hits, mergeHits, readHits } from './hits.ts'
import { keepRows, makeFindInAll, takeBest, toLengthNorms } from './rank.ts'
import { searchDocumentSchema } from './search-document.ts'
import type { SearchQuery } from './search-query.ts'
import type { SearchResult } from './search-result-schema.ts'
import { type SearchTerms, searchTerms } from './search-terms.ts'
import { toOpening, toSnippet } from './snippet.ts'

/** The narration of a post as far as it is ready. */
export type NarrationOf = (slug: string) => { readonly duration: string } | undefined

export interface SearchIndex {
  search(query: SearchQuery): SearchResult
  close(): void
}

const foundSchema = searchDocumentSchema.omit({ publishedAt: true, language: true })
/** What a few hundred frequent words take on a site of ten thousand posts. */
const keptBytes = 16 * 1024 * 1024

const hitsSchema = z.object({ hits: z.instanceof(Uint8Array) })
const lengthSchema = z.object({ terms: z.int(), collection: z.string() })

/**
 * Opens the index that the build wrote, for reading. Every term must match; per term a title counts 2, an excerpt 1,
 * a body 0.3; equals are ordered by BM25 with these weights, then by date.
 *
 * @throws Error when the file is missing or is no such index
 */
export function openSearchIndex(file: string, options: { narrationOf: NarrationOf }): SearchIndex {
  const db = new DatabaseSync(file, { readOnly: true })
  try {
    return serveIndex(db, options)
  } catch (error) {
    db.close()
    throw error
  }
}

function serveIndex(db: DatabaseSync, { narrationOf }: { narrationOf: NarrationOf }): SearchIndex {
  db.exec('pragma mmap_size = 268435456')
  const documents = db
    .prepare('select terms, collection from document order by row')
    .all()
    .map((row) => lengthSchema.parse(row))
  const findInAll = makeFindInAll(toLengthNorms(Uint32Array.from(documents, ({ terms }) => terms)))
  const isPage = documents.map(({ collection }) => collection === 'pages')
  const getHits = db.prepare('select hits from postings where term = ?')
  const getRange = db.prepare('select hits from postings where term >= ? and term < ? || char(0x10ffff)')
  const getDocument = db.prepare('select collection, slug, url, title, excerpt, body from document where row = ?')

  const hitsOf = keepRecent(
    (term: string): Hits | undefined => {
      const row = getHits.get(term)
      return row && readHits(hitsSchema.parse(row).hits)
    },
    { atMost: keptBytes, sizeOf: (hits) => hits?.byteLength ?? 0 },
  )
  const hitsOfPrefix = (prefix: string): Hits =>
    hitsOf(`${prefix}*`) ??
    mergeHits(
      getRange.all(prefix, prefix).map((row) => readHits(hitsSchema.parse(row).hits)),
      documents.length,
    )

  function findLists({ exact, prefix }: SearchTerms): Hits[] | undefined {
    const lists: Hits[] = []
    for (const term of exact) {
      const hits = hitsOf(term)
      if (!hits) return undefined
      lists.push(hits)
    }
    if (prefix !== undefined) lists.push(hitsOfPrefix(prefix))
    return lists
  }

  function toResult(row: number, terms: SearchTerms): SearchResult['results'][number] {
    const { collection, slug, url, title, excerpt, body } = foundSchema.parse(getDocument.get(row))
    const snippet = toSnippet(body, terms) ?? toSnippet(excerpt, terms) ?? toOpening(excerpt)
    if (collection === 'pages') return { title, url, collection, snippet }
    const narration = narrationOf(slug)
    const joined = narration ? { hasNarration: true, narrationDuration: narration.duration } : { hasNarration: false }
    return { title, url, collection, snippet, ...joined }
  }

  return {
    search({ q: query, limit, collections }) {
      const terms = searchTerms(query)
      const found = findInAll(findLists(terms) ?? [])
      const isAsked = (row: number) => collections.includes(isPage[row] ? 'pages' : 'posts')
      const wanted = collections.length === 2 ? found : keepRows(found, isAsked)
      return { query, total: wanted.size, results: takeBest(wanted, limit).map((row) => toResult(row, terms)) }
    },
    close: () => db.close(),
  }
}
