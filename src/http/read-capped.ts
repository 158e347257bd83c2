/**
 * Reads what arrives in pieces, such as the body of a request or of an answer, whole.
 *
 * @returns undefined as soon as there is more than `maxBytes`; leaving it unread ends the stream, however long it is
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
