interface Limits<Value> {
  /** The largest total size of all cached values, as `sizeOf` counts it, plus that of the keys. */
  readonly atMost: number
  readonly sizeOf: (value: Value) => number
  /** Called with each value that is evicted or not cached; it may be the one that is about to be returned. */
  readonly onForgotten?: (value: Value) => void
  /**
   * Caches a value only if its key is requested again before as much as fits into the cache was computed. Keys that are
   * requested once, or seldom, then evict nothing. Without it, each value is cached at once.
   */
  readonly onlyRepeated?: true
}

/** What each key counts in addition to its text and its value, so that values of size 0 are bounded, too. */
const ownSize = 128
const bytesPerCharacter = 2

/** Values by key up to a total size. When there is no room, those go first that were not requested for longest. */
class RecentValues<Value> {
  readonly #atMost: number
  readonly #onEvicted: ((value: Value) => void) | undefined
  /**
   * A `Map` iterates in the order of insertion. Keys are inserted again when they are requested, so the first key is the
   * least recently used.
   */
  readonly #entries = new Map<string, { readonly value: Value; readonly size: number }>()
  #size = 0

  constructor(atMost: number, onEvicted?: (value: Value) => void) {
    this.#atMost = atMost
    this.#onEvicted = onEvicted
  }

  get(key: string): { readonly value: Value } | undefined {
    const entry = this.#entries.get(key)
    if (!entry) return undefined
    this.#entries.delete(key)
    this.#entries.set(key, entry)
    return entry
  }

  add(key: string, value: Value, size: number): void {
    this.#entries.set(key, { value, size })
    this.#size += size
    for (const [oldest, entry] of this.#entries) {
      if (this.#size <= this.#atMost) break
      this.remove(oldest)
      this.#onEvicted?.(entry.value)
    }
  }

  /** Whether the key was there. */
  remove(key: string): boolean {
    this.#size -= this.#entries.get(key)?.size ?? 0
    return this.#entries.delete(key)
  }
}

/**
 * Wraps a function in an LRU cache: it keeps the latest results and evicts those that were not requested for longest.
 */
export function keepRecent<Value>(
  find: (key: string) => Value,
  { atMost, sizeOf, onForgotten, onlyRepeated }: Limits<Value>,
): (key: string) => Value {
  const kept = new RecentValues(atMost, onForgotten)
  /** The keys requested once, each with the size that its value would take. */
  const requested = new RecentValues<undefined>(atMost)
  return (key) => {
    const known = kept.get(key)
    if (known) return known.value
    const value = find(key)
    const size = ownSize + bytesPerCharacter * key.length + sizeOf(value)
    if (!onlyRepeated || requested.remove(key)) kept.add(key, value, size)
    else {
      requested.add(key, undefined, size)
      onForgotten?.(value)
    }
    return value
  }
}
