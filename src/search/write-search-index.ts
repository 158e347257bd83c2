import { DatabaseSync } from 'node:sqlite'
import { type Hits, makeMergeHits, packCounts, toBytes } from './hits.ts'
import type { SearchDocument } from './search-document.ts'
import { toTokens } from './to-tokens.ts'
import { vocabularySchema, writeVocabulary } from './vocabulary.ts'

/** A prefix that more words than this begin with has its merged hits in the index: nothing is slow to look up. */
const crowd = 16

/** Written with the site and never changed: nothing is lost that a build does not make again. */
const schema = `
  pragma journal_mode = off;
  pragma synchronous = off;
  -- Posts by date, newest first, then pages: of two equal matches the lower row comes first.
  create table document (row integer primary key, collection text not null, slug text not null, url text not null,
    title text not null, excerpt text not null, body text not null, language text not null, published_at text,
    kind text, price text) strict;
  -- A term of words; with a star behind it, all words that begin so.
  create table postings (term text primary key, hits blob not null) strict;
  -- Of all documents in the order of their rows: how many words each has, 32 bits, and whether it is a page, 8 bits. In
  -- one piece, because a column behind the texts is read through all of them.
  create table outline (terms blob not null, is_page blob not null) strict;
  ${vocabularySchema};
  begin`

/** Writes `search.db`. The file must not exist. */
export function writeSearchIndex(file: string, documents: readonly SearchDocument[]): void {
  const db = new DatabaseSync(file)
  try {
    db.exec(schema)
    const lists = new Map<string, number[]>()
    const words = new Map<string, boolean>()
    const english = new Set<string>()
    const outline = { terms: new Uint32Array(documents.length), isPage: new Uint8Array(documents.length) }
    const insertDocument = db.prepare('insert into document values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)')
    for (const [row, document] of documents.toSorted(byDate).entries()) {
      const { collection, slug, url, title, excerpt, body, language, publishedAt = null, kind = null } = document
      const terms = countTerms(document, words)
      const isEnglish = /^en\b/i.test(language)
      let length = 0
      for (const [term, counts] of terms) {
        length += counts.title + counts.excerpt + counts.body
        if (isEnglish) english.add(term)
        const list = lists.get(term)
        if (list) list.push(row, packCounts(counts))
        else lists.set(term, [row, packCounts(counts)])
      }
      const fields = [collection, slug, url, title, excerpt, body, language, publishedAt, kind, document.price ?? null]
      insertDocument.run(row, ...fields)
      outline.terms[row] = length
      outline.isPage[row] = collection === 'pages' ? 1 : 0
    }
    db.prepare('insert into outline values (?, ?)').run(toBytes(outline.terms), outline.isPage)
    const insertHits = db.prepare('insert into postings values (?, ?)')
    // In the order of the key a table is written fastest and read in one piece.
    const hits = new Map(
      [...lists].sort(([a], [b]) => (a < b ? -1 : 1)).map(([term, list]) => [term, Uint32Array.from(list)]),
    )
    for (const [term, list] of hits) insertHits.run(term, toBytes(list))
    for (const [prefix, list] of crowdedPrefixes(hits, words.keys(), documents.length))
      insertHits.run(`${prefix}*`, toBytes(list))
    const known = [...words].map(([word, isNamed]) => ({ word, isNamed }))
    writeVocabulary(db, known, english)
    db.exec('commit')
  } finally {
    db.close()
  }
}

const byDate = (a: SearchDocument, b: SearchDocument): number =>
  (b.publishedAt ?? '').localeCompare(a.publishedAt ?? '') || (a.url < b.url ? -1 : 1)

/** @param words are told whether a title or an excerpt has them */
function countTerms(document: SearchDocument, words: Map<string, boolean>) {
  const terms = new Map<string, { title: number; excerpt: number; body: number }>()
  for (const field of ['title', 'excerpt', 'body'] as const)
    for (const { term, is } of toTokens(document[field])) {
      const counts = terms.get(term) ?? { title: 0, excerpt: 0, body: 0 }
      counts[field] += 1
      terms.set(term, counts)
      if (is === 'word') words.set(term, field !== 'body' || words.get(term) === true)
    }
  return terms
}

function* crowdedPrefixes(hits: ReadonlyMap<string, Hits>, words: Iterable<string>, documents: number) {
  const beginnings = new Map<string, string[]>()
  for (const word of words) {
    let prefix = ''
    for (const character of word) {
      prefix += character
      const same = beginnings.get(prefix)
      if (same) same.push(word)
      else beginnings.set(prefix, [word])
    }
  }
  const merge = makeMergeHits(documents)
  for (const [prefix, same] of beginnings)
    if (same.length > crowd) {
      const lists = same.flatMap((word) => hits.get(word) ?? [])
      yield [prefix, merge(lists)] as const
    }
}
