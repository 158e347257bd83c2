import type { DatabaseSync } from 'node:sqlite'
import { z } from 'zod'
import { type SearchDocument, searchDocumentSchema } from './search-document.ts'
import { vocabularySchema } from './vocabulary.ts'

/** The version of the index; increase it whenever the meaning of its data changes. */
const version = 2

/** The tables of `search.db`. */
export const indexSchema = `
  pragma user_version = ${version};
  -- Pages, then posts by date, oldest first, so that a new post moves no other: of two equal matches the higher row
  -- comes first.
  create table document (row integer primary key, collection text not null, slug text not null, url text not null,
    title text not null, excerpt text not null, body text not null, language text not null, published_at text,
    kind text, price text) strict;
  -- In how many documents a term is, and where.
  create table postings (term text primary key, is_word integer not null, documents integer not null,
    hits blob not null) strict;
  -- The merged hits of all words that begin so, where merging them takes long.
  create table beginning (prefix text primary key, hits blob not null) strict;
  -- Of all documents in the order of their rows: how many words each has, 32 bits, and whether it is a page and whether
  -- it is in English, 8 bits each. In one piece, because a column behind the texts is read through all of them.
  create table outline (terms blob not null, is_page blob not null, is_english blob not null) strict;
  ${vocabularySchema}`

/**
 * Checks the version of an index.
 *
 * @throws Error when it is not the version that this code writes
 */
export function checkVersion(db: DatabaseSync): void {
  const { user_version: found } = z.object({ user_version: z.int() }).parse(db.prepare('pragma user_version').get())
  if (found !== version) throw new Error(`The search index is of version ${found}, not ${version}: build the site anew`)
}

/** Compares documents in the order of their rows. */
export function inOrder(a: SearchDocument, b: SearchDocument): number {
  const [one, other] = [a.publishedAt ?? '', b.publishedAt ?? '']
  return one === other ? (a.url < b.url ? 1 : -1) : one < other ? -1 : 1
}

export interface Outline {
  readonly terms: Uint32Array
  readonly isPage: Uint8Array
  readonly isEnglish: Uint8Array
}

export const makeOutline = (documents: readonly SearchDocument[]): Outline => ({
  terms: new Uint32Array(documents.length),
  isPage: Uint8Array.from(documents, ({ collection }) => (collection === 'pages' ? 1 : 0)),
  isEnglish: Uint8Array.from(documents, ({ language }) => (/^en\b/i.test(language) ? 1 : 0)),
})

/** Stores the outline, replacing an earlier one. */
export function keepOutline(db: DatabaseSync, { terms, isPage, isEnglish }: Outline): void {
  db.exec('delete from outline')
  db.prepare('insert into outline values (?, ?, ?)').run(new Uint8Array(terms.buffer), isPage, isEnglish)
}

/** The number of words of each document. The byte order is that of this machine, which both builds and serves. */
export const readTermCounts = (bytes: Uint8Array): Uint32Array => new Uint32Array(bytes.slice().buffer)

export function makeKeepDocument(db: DatabaseSync): (row: number, document: SearchDocument) => void {
  const insert = db.prepare('insert into document values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)')
  return (row, document) => {
    const { collection, slug, url, title, excerpt, body, language, publishedAt = null, kind = null } = document
    insert.run(row, collection, slug, url, title, excerpt, body, language, publishedAt, kind, document.price ?? null)
  }
}

const rowSchema = z.looseObject({ row: z.int(), published_at: z.string().nullable() })

/** All documents, in the order of their rows. */
export function* readDocuments(db: DatabaseSync): Generator<{ row: number; document: SearchDocument }> {
  for (const found of db.prepare('select * from document order by row').iterate()) {
    const { row, published_at: publishedAt, ...fields } = rowSchema.parse(found)
    const given = Object.entries({ ...fields, publishedAt }).filter(([, value]) => value !== null)
    yield { row, document: searchDocumentSchema.parse(Object.fromEntries(given)) }
  }
}
