import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

const toBrotli = promisify(brotliCompress)
const toGzip = promisify(gzip)

/** Below this the headers of an answer outweigh what compression saves. */
const minBytes = 1024

/** The compressed forms of a file that are worth keeping, by file suffix. */
export async function compress(body: Buffer): Promise<Readonly<Partial<Record<'br' | 'gz', Buffer>>>> {
  if (body.length < minBytes) return {}
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: 9,
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
    [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
    // The default window of 4 MiB costs 17 times the work on a page, for the same size.
    [constants.BROTLI_PARAM_LGWIN]: Math.min(22, Math.max(16, Math.ceil(Math.log2(body.length)))),
  }
  const [br, gz] = await Promise.all([toBrotli(body, { params }), toGzip(body, { level: 9 })])
  const isWorthIt = (packed: Buffer) => packed.length < body.length * 0.9
  return { ...(isWorthIt(br) && { br }), ...(isWorthIt(gz) && { gz }) }
}
