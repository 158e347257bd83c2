/** What is written on books that no program may use: not all of them have arrived, or they are somewhere else now. */
export type BooksMark = { readonly is: 'unfinished' } | { readonly is: 'moved'; readonly to: string }

const unfinished = 'unfinished move'
const moved = 'moved to '

/** How a mark is written down. In a SQLite file it is the name of a migration, which older programs refuse as well. */
export const toMarkText = (mark: BooksMark): string => (mark.is === 'unfinished' ? unfinished : `${moved}${mark.to}`)

export function readMark(text: string | null | undefined): BooksMark | undefined {
  if (text === unfinished) return { is: 'unfinished' }
  return text?.startsWith(moved) ? { is: 'moved', to: text.slice(moved.length) } : undefined
}

/** How a database is called in marks. */
export const toDatabaseName = (name: string): string => `the database ${name}`

/** Why books that have a mark cannot be used, and what to do. */
export function toMarkSentence(mark: BooksMark): string {
  if (mark.is === 'unfinished')
    return 'moving the books here was interrupted; run npm run move again, or npm run restore if it was a restore'
  const way = mark.to.startsWith(toDatabaseName('')) ? 'set DATABASE_URL to it' : 'unset DATABASE_URL'
  return `the books were moved to ${mark.to}; ${way}, or run npm run move -- --undo to use what is still here, as it was before the move`
}

/** The mark that a refused migration speaks of. */
export const findMark = (message: string): BooksMark | undefined =>
  readMark(/previously executed migration (.*) is missing$/s.exec(message)?.[1])
