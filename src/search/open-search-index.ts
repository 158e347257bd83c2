import { DatabaseSync } from 'node:sqlite'
import { z } from 'zod'
import { keepRecent } from '../core/keep-recent.ts'
import { countHits, makeMergeHits, type PackedHits } from './hits.ts'
import { readTermCounts } from './index-tables.ts'
import { makeFindInAll, takeBest, toLengthNorms } from './rank.ts'
import { searchDocumentSchema } from './search-document.ts'
import type { SearchQuery } from './search-query.ts'
import type { SearchResult } from './search-result-schema.ts'
import { type SearchTerms, searchTerms } from './search-terms.ts'
import { toOpening, toSnippet } from './snippet.ts'
import { openVocabulary } from './vocabulary.ts'

/** The narration of a post as far as it is ready. */
export interface Narration {
  readonly duration: string
  /** The second at which what is searched for is said first. */
  readonly findStart: (terms: SearchTerms) => number | undefined
}
export type NarrationOf = (slug: string) => Narration | undefined

export interface SearchIndex {
  search(query: SearchQuery): SearchResult
  /** The terms of a query with what else stands for each, for other texts of the same site. */
  widen(terms: SearchTerms): SearchTerms
  close(): void
}

const foundSchema = searchDocumentSchema.omit({ publishedAt: true, language: true }).extend({
  kind: searchDocumentSchema.shape.kind.nullable(),
  price: z.string().nullable(),
})
/**
 * What a few hundred frequent words take on a site of ten thousand posts. The rest is read when it is asked for, and not
 * mapped: mapped pages stay in the memory of this process, those that were read are the system's to give away.
 */
const keptBytes = 8 * 1024 * 1024

const hitsSchema = z.object({ hits: z.instanceof(Uint8Array) })
const outlineSchema = z.object({ terms: z.instanceof(Uint8Array), is_page: z.instanceof(Uint8Array) })

/**
 * Opens the index that the build wrote, for reading. Every term must match, as it is, with another ending, or as it was
 * probably meant; per term a title counts 2, an excerpt 1, a body 0.3; equals are ordered by BM25 with these weights,
 * then by date.
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
  const outline = outlineSchema.parse(db.prepare('select terms, is_page from outline').get())
  const terms = readTermCounts(outline.terms)
  const isPage = outline.is_page
  const findInAll = makeFindInAll(toLengthNorms(terms))
  const mergeHits = makeMergeHits(terms.length)
  const getHits = db.prepare('select hits from postings where term = ?')
  const getRange = db.prepare('select hits from postings where term >= ? and term < ? || char(0x10ffff)')
  const getDocument = db.prepare(
    'select collection, slug, url, title, excerpt, body, kind, price from document where row = ?',
  )

  const hitsOf = keepRecent(
    (term: string): PackedHits | undefined => {
      const row = getHits.get(term)
      return row && hitsSchema.parse(row).hits
    },
    { atMost: keptBytes, sizeOf: (hits) => hits?.byteLength ?? 0 },
  )
  const getMerged = db.prepare('select hits from beginning where prefix = ?')
  const hitsOfPrefix = keepRecent(
    (prefix: string): PackedHits => {
      const merged = getMerged.get(prefix)
      if (merged) return hitsSchema.parse(merged).hits
      return mergeHits(getRange.all(prefix, prefix).map((row) => hitsSchema.parse(row).hits))
    },
    { atMost: keptBytes / 4, sizeOf: ({ byteLength }) => byteLength },
  )

  const isFound = (term: string, isPrefix: boolean) =>
    isPrefix ? countHits(hitsOfPrefix(term)) > 0 : hitsOf(term) !== undefined
  const vocabulary = openVocabulary(db, isFound)

  function findLists({ exact, prefix, others }: SearchTerms): PackedHits[] | undefined {
    const lists: PackedHits[] = []
    for (const term of prefix === undefined ? exact : [...exact, prefix]) {
      const own = term === prefix ? hitsOfPrefix(term) : hitsOf(term)
      const forms = others?.get(term)
      const hits = forms ? mergeForms(forms, own) : own
      if (!hits) return undefined
      lists.push(hits)
    }
    return lists
  }

  const mergeForms = (forms: readonly string[], own: PackedHits | undefined): PackedHits =>
    mergeHits([own, ...forms.map(hitsOf)].filter((hits) => hits !== undefined))

  function toResult(row: number, terms: SearchTerms): SearchResult['results'][number] {
    const { collection, slug, url, title, excerpt, body, kind, price } = foundSchema.parse(getDocument.get(row))
    const snippet = toSnippet(body, terms) ?? toSnippet(excerpt, terms) ?? toOpening(excerpt)
    if (collection === 'pages')
      return { title, url, collection, snippet, kind: kind ?? 'page', ...(price !== null && { price }) }
    return { title, url, collection, snippet, ...toHeard(url, narrationOf(slug), terms), kind: 'post' }
  }

  return {
    search({ q: query, limit, collections }) {
      const terms = vocabulary.widen(searchTerms(query))
      const isAsked = (row: number) => collections.includes(isPage[row] === 1 ? 'pages' : 'posts')
      const found = findInAll(findLists(terms) ?? [], collections.length === 2 ? undefined : isAsked)
      return { query, total: found.size, results: takeBest(found, limit).map((row) => toResult(row, terms)) }
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
