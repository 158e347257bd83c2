import { createHash } from 'node:crypto'
import type { Checksum } from './manifest.ts'

/** A pipeline stage that computes size and checksum of what passes; call `read` once, after all has passed. */
export function makeChecksum() {
  const sum = createHash('sha256')
  let bytes = 0
  return {
    async *pass(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
      for await (const chunk of source) {
        sum.update(chunk)
        bytes += chunk.byteLength
        yield chunk
      }
    },
    read: (): Checksum => ({ bytes, sha256: sum.digest('hex') }),
  }
}

/** Reads a stream to its end and computes its size and checksum. */
export async function readChecksum(source: AsyncIterable<Uint8Array>): Promise<Checksum> {
  const checksum = makeChecksum()
  for await (const _ of checksum.pass(source));
  return checksum.read()
}
