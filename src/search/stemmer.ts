import { DatabaseSync } from 'node:sqlite'

/** English words that have endings; others are their own stems. */
const stemmed = /^[a-z]{3,}$/

/**
 * Takes the endings off English words (Porter), so that `payments` and `payment` are one: by the tokenizer of SQLite's
 * full-text search, whose vocabulary is read back. Words are given as they are compared.
 */
export function openStemmer() {
  const db = new DatabaseSync(':memory:')
  db.exec(`create virtual table word using fts5(text, content='', tokenize='porter ascii');
    create virtual table stem using fts5vocab(word, instance)`)
  const insert = db.prepare('insert into word (rowid, text) values (?, ?)')
  const read = db.prepare('select doc, term from stem')
  return {
    /** Stems by word; words without endings are left out. */
    stemsOf(words: Iterable<string>): Map<string, string> {
      const given = [...words].filter((word) => stemmed.test(word))
      if (given.length === 0) return new Map()
      db.exec('begin')
      for (const [place, word] of given.entries()) insert.run(place + 1, word)
      const stems = new Map(read.all().map(({ doc, term }) => [given[Number(doc) - 1] ?? '', String(term)]))
      db.exec("insert into word (word) values ('delete-all'); commit")
      return stems
    },
    close: (): void => db.close(),
  }
}
