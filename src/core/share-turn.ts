/**
 * Lets calls that come in one turn of the event loop share one answer. It is begun after the last of them came, so none
 * is told of an earlier moment than its own.
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
