/** Reads the bytes of a name, which never change. */
type Read<More extends readonly unknown[]> = (name: string, ...more: More) => Promise<Uint8Array>

/**
 * Gives all callers that read the same name the same memory, as long as one of them still holds it. A buyer may fetch a
 * product many times at once over slow connections; all of these responses together hold it in memory once. Callers
 * must not write into it.
 */
export function shareReads<More extends readonly unknown[]>(read: Read<More>): Read<More> {
  const reading = new Map<string, Promise<Uint8Array>>()
  // Responses keep the ArrayBuffer alive, but not the view that was read, so the buffer is what is referred to.
  const held = new Map<string, { memory: WeakRef<ArrayBufferLike>; at: number; length: number }>()
  const dropped = new FinalizationRegistry((name: string) => {
    if (held.get(name)?.memory.deref() === undefined) held.delete(name)
  })

  async function readAnew(name: string, more: More): Promise<Uint8Array> {
    try {
      const bytes = await read(name, ...more)
      held.set(name, { memory: new WeakRef(bytes.buffer), at: bytes.byteOffset, length: bytes.byteLength })
      dropped.register(bytes.buffer, name)
      return bytes
    } finally {
      reading.delete(name)
    }
  }

  return async (name, ...more) => {
    const known = held.get(name)
    const memory = known?.memory.deref()
    if (known && memory) return new Uint8Array(memory, known.at, known.length)
    const begun = reading.get(name) ?? readAnew(name, more)
    reading.set(name, begun)
    return begun
  }
}
