import { DatabaseSync } from 'node:sqlite'

/** Words that may have English endings; others are their own stems. */
const stemmed = /^[a-z]{3,}$/
/** Arabic words, which may have an article. */
const arabic = /^[ء-ي]{3,}$/
/** The Arabic article, alone or after a prefix of one letter, before three or more letters. */
const article = /^(?:[وفبك]?ال|لل)(?=.{3})/

/** Whether a word is Arabic, so that it has a stem in texts of any language. */
export const isArabic = (word: string): boolean => arabic.test(word)

/**
 * Removes the endings of English words (Porter), so that `payments` and `payment` are equal: with the tokenizer of
 * SQLite's full-text search, whose vocabulary is read back. Removes the article of Arabic words. Words have to be
 * folded already.
 */
export function openStemmer() {
  const db = new DatabaseSync(':memory:')
  db.exec(`create virtual table word using fts5(text, content='', tokenize='porter ascii');
    create virtual table stem using fts5vocab(word, instance)`)
  const insert = db.prepare('insert into word (rowid, text) values (?, ?)')
  const read = db.prepare('select doc, term from stem')
  return {
    /** The stems by word, for those words that may have endings. */
    stemsOf(words: Iterable<string>): Map<string, string> {
      const all = [...words]
      const bare = all.filter(isArabic).map((word) => [word, word.replace(article, '')] as const)
      const given = all.filter((word) => stemmed.test(word))
      if (given.length === 0) return new Map(bare)
      db.exec('begin')
      for (const [place, word] of given.entries()) insert.run(place + 1, word)
      const stems = read.all().map(({ doc, term }) => [given[Number(doc) - 1] ?? '', String(term)] as const)
      db.exec("insert into word (word) values ('delete-all'); commit")
      return new Map([...bare, ...stems])
    },
    close: (): void => db.close(),
  }
}
