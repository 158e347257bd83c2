import { DatabaseSync } from 'node:sqlite'
import { z } from 'zod'
import { checkVersion, readTermCounts } from './index-tables.ts'
import { openTerms } from './open-terms.ts'
import { makeFindBest } from './rank.ts'
import { toLengthNorms } from './ranked-term.ts'
import { searchDocumentSchema } from './search-document.ts'
import type { SearchQuery } from './search-query.ts'
import type { SearchResult } from './search-result-schema.ts'
import { type SearchTerms, searchTerms } from './search-terms.ts'
import { readSearched } from './searched-rows.ts'
import { toOpening, toSnippet } from './snippet.ts'
import { openVocabulary } from './vocabulary.ts'

/** The narration of a post, if it is ready. */
export interface Narration {
  readonly duration: string
  /** The second at which the terms are first spoken; undefined if they are not. */
  readonly findStart: (terms: SearchTerms) => number | undefined
}
export type NarrationOf = (slug: string) => Narration | undefined

export interface SearchIndex {
  search(query: SearchQuery): SearchResult
  /** The terms of a query with their alternatives, for searching other texts of the site. */
  widen(terms: SearchTerms): SearchTerms
  close(): void
}

const foundSchema = searchDocumentSchema.omit({ publishedAt: true, language: true }).extend({
  kind: searchDocumentSchema.shape.kind.nullable(),
  price: z.string().nullable(),
})
const outlineSchema = z.object({ terms: z.instanceof(Uint8Array), is_page: z.instanceof(Uint8Array) })

/**
 * Opens the index of the build for reading. Every term must match: as it is, with another ending, or as it was probably
 * meant. For each term a title counts 2, an excerpt 1, a body 0.3; equal scores are ordered by BM25 with these weights,
 * then by date.
 *
 * @throws Error when the file is missing or is not such an index
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
  // One transaction for all reads: otherwise SQLite would lock the file and check it for changes at each query,
  // although nobody changes a served index.
  db.exec('begin')
  checkVersion(db)
  const outline = outlineSchema.parse(db.prepare('select terms, is_page from outline').get())
  const terms = readTermCounts(outline.terms)
  const findSearched = readSearched(db, outline.is_page)
  const findBest = makeFindBest(toLengthNorms(terms))
  const getDocument = db.prepare(
    'select collection, slug, url, title, excerpt, body, kind, price from document where row = ?',
  )

  const { findTerms, isFound } = openTerms(db, terms.length)
  const vocabulary = openVocabulary(db, isFound)

  function toResult(row: number, terms: SearchTerms): SearchResult['results'][number] {
    const { collection, slug, url, title, excerpt, body, kind, price } = foundSchema.parse(getDocument.get(row))
    const snippet = toSnippet(body, terms) ?? toSnippet(excerpt, terms) ?? toOpening(excerpt)
    if (collection === 'pages')
      return { title, url, collection, snippet, kind: kind ?? 'page', ...(price !== null && { price }) }
    return { title, url, collection, snippet, ...toHeard(url, narrationOf(slug), terms), kind: 'post' }
  }

  return {
    search({ q: query, limit, ...where }) {
      const terms = vocabulary.widen(searchTerms(query))
      const { total, rows } = findBest(findTerms(terms), limit, findSearched(where))
      return { query, total, results: rows.map((row) => toResult(row, terms)) }
    },
    widen: vocabulary.widen,
    close() {
      vocabulary.close()
      db.close()
    },
  }
}

function toHeard(url: string, narration: Narration | undefined, terms: SearchTerms) {
  if (!narration) return { hasNarration: false }
  const start = narration.findStart(terms)
  const listenUrl = start === undefined ? undefined : `${url}?t=${start}`
  return { hasNarration: true, narrationDuration: narration.duration, ...(listenUrl !== undefined && { listenUrl }) }
}
