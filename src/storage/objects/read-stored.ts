import { Readable } from 'node:stream'
import { type AskStorage, pause } from './ask-storage.ts'
import { NoSuchObject, StorageFailed } from './storage-failed.ts'

interface StoredRange {
  readonly key: string
  readonly range: { readonly start: number; readonly end: number } | undefined
  /** How long a response may stall, in ms. */
  readonly idleMs: number
}

/** How many breaks of the connection in a row, without a byte in between, are retried. */
const mostCuts = 4

/** One response with bytes of the object. */
interface Part {
  readonly reader: ReadableStreamDefaultReader<Uint8Array>
  readonly etag: string
  /** Position in the object of the last byte of this response. */
  readonly end: number
}

/** Position of the last byte of a response; undefined when it is not the part that was requested. */
function lastOf({ status, headers }: Response, start: number, end = Number.POSITIVE_INFINITY): number | undefined {
  const range = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(headers.get('content-range') ?? '')
  const [first, last, size] = (range?.slice(1) ?? []).map(Number)
  if (status !== 206 || size === undefined || first !== start) return undefined
  return last === Math.min(end, size - 1) ? last : undefined
}

/** The size of an object, from the headers of a response. @throws StorageFailed when they do not contain it */
export function readSize({ headers }: Response): number {
  const length = headers.get('content-length')
  // As by a proxy in front of the storage, that passes bodies on in chunks.
  if (length === null) throw new StorageFailed('refused', 'does not say how large an object is')
  return Number(length)
}

/** Waits for `work` for at most `ms`. */
async function within<Result>(ms: number, work: Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new StorageFailed('unavailable', 'stopped in the middle of an answer')), ms)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}

/**
 * The bytes of an object as a stream. A broken connection is resumed at the next byte, of the same version of the
 * object.
 *
 * @throws NoSuchObject, StorageFailed before the first byte
 */
export async function openStoredStream({ ask }: AskStorage, { key, range, idleMs }: StoredRange): Promise<Readable> {
  let at = range?.start ?? 0

  const openPart = async (etag: string | undefined, end: number | undefined): Promise<Part> => {
    const isPart = at > 0 || end !== undefined
    const headers: Record<string, string> = {
      ...(isPart && { range: `bytes=${at}-${end ?? ''}` }),
      ...(etag !== undefined && { 'if-match': etag }),
    }
    const part = await ask({ method: 'GET', key, headers, accepts: [404, 412, 416] }, async (response) => {
      if (response.status === 404) return undefined
      if (!response.ok) throw new StorageFailed('damaged', 'holds something else than a moment ago')
      const last = isPart ? lastOf(response, at, end) : readSize(response) - 1
      if (!response.body || last === undefined)
        throw new StorageFailed('refused', 'answers with another part of an object')
      return { reader: response.body.getReader(), etag: response.headers.get('etag') ?? '', end: last }
    })
    if (!part) throw new NoSuchObject(key)
    return part
  }

  const first = await openPart(undefined, range?.end)
  const { end, etag } = first
  let part: Part | undefined = first

  /** The next bytes, by a new connection where the last one broke. */
  async function next(): Promise<Uint8Array> {
    for (let cuts = 0; ; cuts++) {
      try {
        part ??= await openPart(etag, end)
        const { value } = await within(idleMs, part.reader.read())
        if (value) return value
        throw new StorageFailed('unavailable', 'broke off')
      } catch (cause) {
        leave()
        const isKnown = cause instanceof StorageFailed || cause instanceof NoSuchObject
        const isPassing = !isKnown || (cause instanceof StorageFailed && cause.kind === 'unavailable')
        if (isPassing && cuts < mostCuts) await pause(cuts)
        else throw isKnown ? cause : new StorageFailed('unavailable', 'broke off', { cause })
      }
    }
  }

  /** Cancels the current response. */
  function leave(): void {
    void part?.reader.cancel().catch(() => {})
    part = undefined
  }

  async function* read(): AsyncGenerator<Uint8Array> {
    try {
      while (at <= end) {
        const piece = await next()
        at += piece.byteLength
        yield piece
      }
    } finally {
      leave()
    }
  }
  // If the stream is closed before its first read, the generator never starts and its `finally` does not run.
  return Readable.from(read(), { objectMode: false }).once('close', leave)
}
