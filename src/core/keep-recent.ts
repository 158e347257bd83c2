interface Limits<Value> {
  /** The largest total size of all cached values, as `sizeOf` counts it, plus `ownSize` for each key. */
  readonly atMost: number
  readonly sizeOf: (value: Value) => number
  /** Called with each value that is evicted, which may be the one just added. */
  readonly onForgotten?: (value: Value) => void
}

/** What each key counts in addition to its value, so that values of size 0 are bounded, too. */
const ownSize = 128

/**
 * Wraps a function in an LRU cache: it keeps the latest results and evicts those that were not requested for longest.
 */
export function keepRecent<Value>(
  find: (key: string) => Value,
  { atMost, sizeOf, onForgotten }: Limits<Value>,
): (key: string) => Value {
  const kept = new Map<string, { readonly value: Value; readonly size: number }>()
  let size = 0
  return (key) => {
    const known = kept.get(key)
    // A `Map` iterates in the order of insertion. Inserting the key again moves it to the end, so the first key is the
    // least recently used.
    if (known) {
      kept.delete(key)
      kept.set(key, known)
      return known.value
    }
    const value = find(key)
    const added = { value, size: ownSize + sizeOf(value) }
    kept.set(key, added)
    size += added.size
    for (const [oldest, old] of kept) {
      if (size <= atMost) break
      kept.delete(oldest)
      size -= old.size
      onForgotten?.(old.value)
    }
    return value
  }
}
