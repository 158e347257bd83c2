import { pipeline, Readable, Transform } from 'node:stream'
import { constants, createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { FetchFailed } from './fetched.ts'

const maxEncodings = 5
/** How many bytes compression may add to data that does not compress. */
const allowanceBytes = 64 * 1024

/** A body, or the beginning of one. */
export interface ReadBody {
  readonly body: Uint8Array
  /** Whether there is more of it. */
  readonly isCut: boolean
}

/**
 * Reads a body up to a number of decoded bytes, and reads no more than is needed for them. Each step of the decoding
 * has the same limit, so that no large data arises between two encodings. A truncated body is kept as far as it
 * decodes, as browsers do.
 *
 * @throws FetchFailed `malformed` when it cannot be decoded
 */
export async function readBody(message: Readable, encoding: string, maxBytes: number): Promise<ReadBody> {
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of decoded(message, encoding, maxBytes)) {
      const bytes: Buffer = chunk
      chunks.push(bytes.subarray(0, maxBytes - size))
      size += bytes.length
      if (size > maxBytes) break
    }
  } catch (cause) {
    throw new FetchFailed('malformed', { cause })
  }
  return { body: Buffer.concat(chunks), isCut: size > maxBytes }
}

/**
 * Reads a body as it was sent, as far as `decodeBody` may need it. A few KB that decode to megabytes then stay small in
 * this process.
 *
 * @throws FetchFailed `malformed` when the connection breaks off
 */
export const readEncoded = (message: Readable, maxBytes: number): Promise<ReadBody> =>
  readBody(message, '', maxBytes + allowanceBytes)

/**
 * Decodes what `readEncoded` has read, with the same result as `readBody`.
 *
 * @throws FetchFailed `malformed` when it cannot be decoded
 */
export async function decodeBody({ body, isCut }: ReadBody, encoding: string, maxBytes: number): Promise<ReadBody> {
  const decoded = await readBody(Readable.from([body]), encoding, maxBytes)
  // More was encoded than is read, and what was read does not make `maxBytes`.
  if (isCut && !decoded.isCut) throw new FetchFailed('malformed')
  return decoded
}

const toNames = (encoding: string): string[] =>
  encoding
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && name !== 'identity')

/** Whether a `Content-Encoding` names any. */
export const isEncoded = (encoding: string): boolean => toNames(encoding).length > 0

function decoded(message: Readable, encoding: string, maxBytes: number): Readable {
  const names = toNames(encoding)
  if (names.length > maxEncodings) throw new Error(`${names.length} encodings`)
  return names
    .reverse()
    .flatMap((name) => [limit(maxBytes + allowanceBytes), toDecoder(name)])
    .reduce<Readable>((source, step) => pipeline(source, step, passOn), message)
}

/**
 * `pipeline` needs a callback. A failed step destroys the next with its error, so the reader of the last one gets it.
 */
const passOn = () => {}

function limit(maxBytes: number): Transform {
  let left = maxBytes
  return new Transform({
    transform(chunk: Buffer, _, done) {
      left -= chunk.length
      done(left < 0 ? new Error('too many encoded bytes') : null, chunk)
    },
  })
}

function toDecoder(name: string): Transform {
  switch (name) {
    case 'gzip':
    case 'x-gzip':
      return createGunzip({ finishFlush: constants.Z_SYNC_FLUSH })
    case 'deflate':
      return createInflate({ finishFlush: constants.Z_SYNC_FLUSH })
    case 'br':
      return createBrotliDecompress({ finishFlush: constants.BROTLI_OPERATION_FLUSH })
    default:
      throw new Error('an encoding that was not asked for')
  }
}
