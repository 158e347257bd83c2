/** A mark on databases that no program may use: `unfinished` while rows are still missing, `moved` once they left. */
export type BooksMark = { readonly is: 'unfinished' } | { readonly is: 'moved'; readonly to: string }

const unfinished = 'unfinished move'
const moved = 'moved to '

/** The stored text of a mark. In a SQLite file it is the name of a migration, so that older programs refuse it too. */
export const toMarkText = (mark: BooksMark): string => (mark.is === 'unfinished' ? unfinished : `${moved}${mark.to}`)

export function readMark(text: string | null | undefined): BooksMark | undefined {
  if (text === unfinished) return { is: 'unfinished' }
  return text?.startsWith(moved) ? { is: 'moved', to: text.slice(moved.length) } : undefined
}

/** How a mark names a PostgreSQL database. */
export const toDatabaseName = (name: string): string => `the database ${name}`

/** The error sentence for databases with a mark: why they cannot be used, and what to do. */
export function toMarkSentence(mark: BooksMark): string {
  if (mark.is === 'unfinished')
    return 'moving the books here was interrupted; run npm run move again, or npm run restore if it was a restore'
  const way = mark.to.startsWith(toDatabaseName('')) ? 'set DATABASE_URL to it' : 'unset DATABASE_URL'
  return `the books were moved to ${mark.to}; ${way}, or run npm run move -- --undo to use what is still here, as it was before the move`
}

/** The mark in Kysely's error about a missing migration; undefined when the message is about something else. */
export const findMark = (message: string): BooksMark | undefined =>
  readMark(/previously executed migration (.*) is missing$/s.exec(message)?.[1])
