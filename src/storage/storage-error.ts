/** A reason a database cannot be used, in one sentence that names the fix. */
export class StorageError extends Error {
  override readonly name = 'StorageError'
}

/** Says that the tables were made by a later version than this one; undefined when an error says something else. */
export const findNewerVersion = (message: string): string | undefined =>
  /previously executed migration/.test(message)
    ? 'a newer version of this program has used it; run that version, or restore an earlier backup. Nothing was changed'
    : undefined
