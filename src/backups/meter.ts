import { createHash } from 'node:crypto'

/** What a file is known by; `sha256` is what `sha256sum` prints. */
export interface Measure {
  readonly bytes: number
  readonly sha256: string
}

/** A stage of a pipeline that measures what passes; `read` answers once all has passed. */
export function makeMeter() {
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
    read: (): Measure => ({ bytes, sha256: sum.digest('hex') }),
  }
}

/** Reads a stream to its end and measures it. */
export async function measure(source: AsyncIterable<Uint8Array>): Promise<Measure> {
  const meter = makeMeter()
  for await (const _ of meter.pass(source));
  return meter.read()
}
