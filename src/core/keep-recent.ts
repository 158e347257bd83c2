interface Limits<Value> {
  /** Of all values together, as `sizeOf` counts them. */
  readonly atMost: number
  readonly sizeOf: (value: Value) => number
  /** Told of each value that is forgotten, which may be the one that is being given. */
  readonly onForgotten?: (value: Value) => void
}

/** What each key takes by itself, so that values without a size do not grow without end. */
const ownSize = 128

/** A function that remembers its latest answers, and forgets those that were not asked for longest. */
export function keepRecent<Value>(
  find: (key: string) => Value,
  { atMost, sizeOf, onForgotten }: Limits<Value>,
): (key: string) => Value {
  const kept = new Map<string, { readonly value: Value; readonly size: number }>()
  let size = 0
  return (key) => {
    const known = kept.get(key)
    // A map keeps the order in which keys came: the first is the one not asked for longest.
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
