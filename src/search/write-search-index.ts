import { copyFileSync, existsSync, rmSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { countTerms } from './count-terms.ts'
import { isCrowd, toBeginnings } from './crowded-beginnings.ts'
import { indexSchema, inOrder, keepOutline, makeKeepDocument, makeOutline } from './index-tables.ts'
import { makeMergeHits } from './merge-hits.ts'
import { openHits, packHits } from './packed-hits.ts'
import type { SearchDocument } from './search-document.ts'
import { updateSearchIndex } from './update-search-index.ts'
import { isNamed, writeVocabulary } from './vocabulary.ts'

/**
 * Writes `search.db`. The file must not exist.
 *
 * @param earlier an index written by this code: only what is different from it is read again, with the same result. A
 * missing or damaged one is not used.
 */
export function writeSearchIndex(file: string, documents: readonly SearchDocument[], earlier?: string): void {
  const ordered = documents.toSorted(inOrder)
  if (earlier !== undefined && existsSync(earlier)) {
    copyFileSync(earlier, file)
    try {
      writeInOne(file, (db) => updateSearchIndex(db, ordered))
      return
    } catch {
      // The earlier index is damaged, so it is not used.
      rmSync(file)
    }
  }
  writeInOne(file, (db) => fill(db, ordered))
}

/** Writes in one transaction, without waiting for the disk: a build that was cut short is made again. */
function writeInOne(file: string, write: (db: DatabaseSync) => void): void {
  const db = new DatabaseSync(file)
  try {
    db.exec('pragma synchronous = off; begin')
    write(db)
    db.exec('commit')
  } finally {
    db.close()
  }
}

function fill(db: DatabaseSync, documents: readonly SearchDocument[]): void {
  db.exec(indexSchema)
  const terms = new Map<string, { isWord: boolean; isEnglish: boolean; list: number[] }>()
  const outline = makeOutline(documents)
  const keepDocument = makeKeepDocument(db)
  for (const [row, document] of documents.entries()) {
    keepDocument(row, document)
    for (const [term, { packed, times, isWord }] of countTerms(document)) {
      outline.terms[row] = (outline.terms[row] ?? 0) + times
      const known = terms.get(term) ?? { isWord, isEnglish: false, list: [] }
      known.isEnglish ||= outline.isEnglish[row] === 1
      known.list.push(row, packed)
      terms.set(term, known)
    }
  }
  keepOutline(db, outline)
  // A table is written fastest and stored contiguously in the order of its key.
  const sorted = [...terms]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([term, { list, ...known }]) => {
      const hits = Uint32Array.from(list)
      return { term, ...known, isNamed: isNamed(hits), documents: hits.length / 2, packed: packHits(hits) }
    })
  terms.clear()
  const insert = db.prepare('insert into postings values (?, ?, ?, ?)')
  for (const { term, isWord, documents, packed } of sorted) insert.run(term, isWord ? 1 : 0, documents, packed)
  const beginnings = new Map<string, (typeof sorted)[number][]>()
  for (const word of sorted.filter(({ isWord }) => isWord))
    for (const prefix of toBeginnings(word.term)) {
      const same = beginnings.get(prefix)
      if (same) same.push(word)
      else beginnings.set(prefix, [word])
    }
  const merge = makeMergeHits(documents.length)
  const insertBeginning = db.prepare('insert into beginning values (?, ?)')
  for (const [prefix, same] of beginnings)
    if (isCrowd(same)) insertBeginning.run(prefix, merge(same.map(({ packed }) => openHits(packed))))
  writeVocabulary(db, sorted)
}
