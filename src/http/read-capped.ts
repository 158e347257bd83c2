/**
 * Reads chunks, such as the body of a request or response, into one buffer.
 *
 * @returns undefined as soon as there are more than `maxBytes`; the iteration stops then, which ends the stream
 */
export async function readCapped(
  pieces: AsyncIterable<Uint8Array> | null,
  maxBytes: number,
): Promise<Buffer<ArrayBuffer> | undefined> {
  const read: Uint8Array[] = []
  let bytes = 0
  for await (const piece of pieces ?? []) {
    bytes += piece.byteLength
    if (bytes > maxBytes) return undefined
    read.push(piece)
  }
  return Buffer.concat(read)
}
