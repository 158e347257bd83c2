/**
 * Lets all calls within one callback of the event loop share one result, such as those for requests that `afterReading`
 * hands over together. The work starts after the last of these calls, so no caller gets data from before its own call.
 *
 * @example const read = shareTurn(() => db.selectFrom('sale').selectAll().execute())
 */
export function shareTurn<T>(make: () => Promise<T>): () => Promise<T> {
  let next: Promise<T> | undefined
  const begin = async (): Promise<T> => {
    // Continues when this callback has ended. A wait for the next turn would let the reading of more requests in between.
    await Promise.resolve()
    next = undefined
    return make()
  }
  return () => (next ??= begin())
}
