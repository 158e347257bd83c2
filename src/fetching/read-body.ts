import type { IncomingMessage } from 'node:http'
import { pipeline, type Readable, Transform } from 'node:stream'
import { constants, createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { FetchFailed } from './fetched.ts'

const maxEncodings = 5
/** What compression may add to bytes that cannot be made smaller. */
const allowanceBytes = 64 * 1024

/**
 * The decoded body up to a number of bytes, and no more read than is needed for them. Each step of the decoding has
 * the same cap, so that nothing large hides between two encodings. A body that ends inside an encoding is kept as
 * far as it goes, as browsers do.
 *
 * @throws FetchFailed `malformed`
 */
export async function readBody(
  message: IncomingMessage,
  encoding: string,
  maxBytes: number,
): Promise<{ body: Uint8Array; isCut: boolean }> {
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of decoded(message, encoding, maxBytes)) {
      const bytes = Buffer.from(chunk)
      chunks.push(bytes.subarray(0, maxBytes - size))
      size += bytes.length
      if (size > maxBytes) break
    }
  } catch (cause) {
    throw new FetchFailed('malformed', { cause })
  }
  return { body: Buffer.concat(chunks), isCut: size > maxBytes }
}

function decoded(message: IncomingMessage, encoding: string, maxBytes: number): Readable {
  const names = encoding
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && name !== 'identity')
  if (names.length > maxEncodings) throw new Error(`${names.length} encodings`)
  return names
    .reverse()
    .flatMap((name) => [limit(maxBytes + allowanceBytes), toDecoder(name)])
    .reduce<Readable>((source, step) => pipeline(source, step, passOn), message)
}

/** A step that fails destroys the next with its error, and so the last one's reader learns of it. */
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
