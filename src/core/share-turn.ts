/**
 * Lets all calls within one turn of the event loop share one result. The work starts after the last of these calls, so
 * no caller gets data from before its own call.
 *
 * @example const read = shareTurn(() => db.selectFrom('sale').selectAll().execute())
 */
export function shareTurn<T>(make: () => Promise<T>): () => Promise<T> {
  let next: Promise<T> | undefined
  const begin = async (): Promise<T> => {
    await new Promise<void>((resolve) => setImmediate(resolve))
    next = undefined
    return make()
  }
  return () => (next ??= begin())
}
