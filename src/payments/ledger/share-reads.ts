/** Reads what a name stands for, always these very bytes. */
type Read<More extends readonly unknown[]> = (name: string, ...more: More) => Promise<Uint8Array>

/**
 * Whoever asks for the same bytes is given the same memory, for as long as anybody has it: who paid once may fetch a
 * product as often as they like, over lines as slow as they like, and all of these answers together hold it once.
 * Nobody may write into what they are given.
 */
export function shareReads<More extends readonly unknown[]>(read: Read<More>): Read<More> {
  const reading = new Map<string, Promise<Uint8Array>>()
  // Answers hold the memory, and not the view of it that was read.
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
