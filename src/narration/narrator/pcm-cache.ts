/**
 * Keeps spoken sentences, so that a changed paragraph costs only itself. Keys are SHA-256 in hexadecimal of all that
 * decides the samples.
 */
export interface PcmCache {
  /** The samples of a key. The caller owns them afterwards and may give them away. */
  find(key: string): Promise<Int16Array | undefined>
  /** Keeps samples; has taken its own copy when it answers. */
  keep(key: string, pcm: Int16Array): Promise<void>
}

/** A cache in memory that forgets the least recently used sentences when it is full. */
export function memoryPcmCache(maxBytes: number): PcmCache {
  const kept = new Map<string, Int16Array>()
  let bytes = 0
  const forget = (key: string) => {
    bytes -= kept.get(key)?.byteLength ?? 0
    kept.delete(key)
  }
  return {
    find: async (key) => {
      const pcm = kept.get(key)
      if (pcm === undefined) return undefined
      kept.delete(key)
      kept.set(key, pcm)
      return pcm.slice()
    },
    keep: async (key, pcm) => {
      forget(key)
      kept.set(key, pcm.slice())
      bytes += pcm.byteLength
      for (const oldest of kept.keys()) {
        if (bytes <= maxBytes) break
        forget(oldest)
      }
    },
  }
}
