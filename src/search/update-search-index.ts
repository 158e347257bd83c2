import { hash } from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'
import { z } from 'zod'
import { countTerms } from './count-terms.ts'
import { fewWords, isCrowd, toBeginnings } from './crowded-beginnings.ts'
import { addCounts, type Hits, moveHits } from './hits.ts'
import { keepOutline, makeKeepDocument, makeOutline, readDocuments, readTermCounts } from './index-tables.ts'
import { makeMergeHits } from './merge-hits.ts'
import { openHits, packHits, readHits } from './packed-hits.ts'
import type { SearchDocument } from './search-document.ts'
import { isNamed, updateVocabulary } from './vocabulary.ts'

const hitsSchema = z.object({ hits: z.instanceof(Uint8Array) })
const documentsSchema = z.object({ documents: z.int() })

/**
 * Updates an index to other documents: only new texts are tokenized, and only their terms are written again. The result
 * is the same as that of writing it from scratch.
 *
 * @param documents in the order of their rows
 */
export function updateSearchIndex(db: DatabaseSync, documents: readonly SearchDocument[]): void {
  const { movedTo, gone, added } = compareDocuments(db, documents)
  const isMoved = movedTo.some((row, before) => row >= 0 && row !== before)
  const terms = new Map<string, { isWord: boolean; more: number[] }>()
  const beginnings = new Map<string, number[]>()
  for (const document of gone)
    for (const [term, { isWord }] of countTerms(document)) {
      terms.set(term, { isWord, more: [] })
      if (isWord) for (const prefix of toBeginnings(term)) beginnings.set(prefix, [])
    }
  const outline = makeOutline(documents)
  for (const [before, length] of readLengths(db).entries()) {
    const row = movedTo[before] ?? -1
    if (row >= 0) outline.terms[row] = length
  }
  moveDocuments(db, movedTo)
  const keepDocument = makeKeepDocument(db)
  for (const row of added) {
    const document = documents[row]
    if (!document) continue
    keepDocument(row, document)
    const sums = new Map<string, number>()
    for (const [term, { packed, times, isWord }] of countTerms(document)) {
      outline.terms[row] = (outline.terms[row] ?? 0) + times
      const known = terms.get(term) ?? { isWord, more: [] }
      known.more.push(row, packed)
      terms.set(term, known)
      if (!isWord) continue
      for (const prefix of toBeginnings(term)) sums.set(prefix, addCounts(sums.get(prefix) ?? 0, packed))
    }
    for (const [prefix, packed] of sums) {
      const more = beginnings.get(prefix)
      if (more) more.push(row, packed)
      else beginnings.set(prefix, [row, packed])
    }
  }
  keepOutline(db, outline)

  const postings = openLists(db, 'postings', 'term')
  const keepPostings = db.prepare(
    `insert into postings values (?, ?, ?, ?)
      on conflict (term) do update set documents = excluded.documents, hits = excluded.hits`,
  )
  if (isMoved) postings.moveOthers(terms, movedTo)
  const words = [...terms].map(([term, { isWord, more }]) => {
    const hits = moveHits(postings.find(term) ?? new Uint32Array(), movedTo, more)
    if (hits.length === 0) postings.remove(term)
    else keepPostings.run(term, isWord ? 1 : 0, hits.length / 2, packHits(hits))
    const isEnglish = hits.some((row, at) => at % 2 === 0 && outline.isEnglish[row] === 1)
    return { term, isWord: isWord && hits.length > 0, isEnglish, isNamed: isNamed(hits) }
  })
  updateVocabulary(db, words)

  const merged = openLists(db, 'beginning', 'prefix')
  if (isMoved) merged.moveOthers(beginnings, movedTo)
  const keepMerged = db.prepare(
    'insert into beginning values (?, ?) on conflict (prefix) do update set hits = excluded.hits',
  )
  const mergeHits = makeMergeHits(documents.length)
  const range = 'from postings where term >= ? and term < ? || char(0x10ffff) and is_word = 1'
  const getFew = db.prepare(`select documents ${range} limit ${fewWords + 1}`)
  const getAll = db.prepare(`select hits ${range}`)
  for (const [prefix, more] of beginnings) {
    if (!isCrowd(getFew.all(prefix, prefix).map((row) => documentsSchema.parse(row)))) {
      merged.remove(prefix)
      continue
    }
    const known = merged.find(prefix)
    const packed = known
      ? packHits(moveHits(known, movedTo, more))
      : mergeHits(getAll.all(prefix, prefix).map((row) => openHits(hitsSchema.parse(row).hits)))
    keepMerged.run(prefix, packed)
  }
}

/**
 * The new row of each earlier document, negative when it was removed; the documents that were removed; and the rows of
 * new ones.
 */
function compareDocuments(db: DatabaseSync, documents: readonly SearchDocument[]) {
  const keyOf = (document: SearchDocument): string => {
    const given = Object.entries(document).filter(([, value]) => value !== undefined)
    return hash('sha256', JSON.stringify(given.sort(([a], [b]) => (a < b ? -1 : 1))))
  }
  const rows = new Map(documents.map((document, row) => [keyOf(document), row]))
  const movedTo: number[] = []
  const gone: SearchDocument[] = []
  const added = new Set(documents.keys())
  let last = -1
  for (const { document } of readDocuments(db)) {
    const row = rows.get(keyOf(document)) ?? -1
    // Only documents that stay in the same order can be kept, because lists have to stay ascending.
    const isKept = row > last
    if (isKept) {
      last = row
      added.delete(row)
    } else gone.push(document)
    movedTo.push(isKept ? row : -1)
  }
  return { movedTo, gone, added }
}

const readLengths = (db: DatabaseSync): Uint32Array =>
  readTermCounts(
    z.object({ terms: z.instanceof(Uint8Array) }).parse(db.prepare('select terms from outline').get()).terms,
  )

function moveDocuments(db: DatabaseSync, movedTo: readonly number[]): void {
  const remove = db.prepare('delete from document where row = ?')
  const move = db.prepare('update document set row = ? where row = ?')
  // Rows become negative first, because a new row may still be in use.
  for (const [before, row] of movedTo.entries()) {
    if (row < 0) remove.run(before)
    else if (row !== before) move.run(-1 - row, before)
  }
  db.exec('update document set row = -1 - row where row < 0')
}

function openLists(db: DatabaseSync, table: 'postings' | 'beginning', key: 'term' | 'prefix') {
  const get = db.prepare(`select hits from ${table} where ${key} = ?`)
  const remove = db.prepare(`delete from ${table} where ${key} = ?`)
  const change = db.prepare(`update ${table} set hits = ? where ${key} = ?`)
  return {
    find(name: string): Hits | undefined {
      const row = get.get(name)
      return row && readHits(hitsSchema.parse(row).hits)
    },
    remove: (name: string) => remove.run(name),
    /** Moves the hits of all lists except these. */
    moveOthers(these: ReadonlyMap<string, unknown>, movedTo: readonly number[]): void {
      const names = db.prepare(`select ${key} as name from ${table}`).all()
      for (const row of names) {
        const name = String(row['name'])
        const hits = these.has(name) ? undefined : this.find(name)
        if (hits) change.run(packHits(moveHits(hits, movedTo, [])), name)
      }
    },
  }
}
