/**
 * A cache of spoken sentences, so that after a change only the changed paragraph is spoken again. Keys are SHA-256 in
 * hexadecimal of everything that decides the samples.
 */
export interface PcmCache {
  /** The samples of a key, or undefined. The caller owns them and may transfer them. */
  find(key: string): Promise<Int16Array | undefined>
  /** Stores a copy of the samples; the caller may reuse its own once the promise resolves. */
  keep(key: string, pcm: Int16Array): Promise<void>
}

/** A cache in memory of at most `maxBytes`; the least recently used sentences are removed first. */
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
