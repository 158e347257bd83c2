import { brotliCompressSync, constants, gzipSync } from 'node:zlib'

/** The compressed forms of a file that are small enough to be worth keeping, by file suffix. */
export type PackedForms = Readonly<Partial<Record<'br' | 'gz', Uint8Array>>>

/** Compresses a file. It takes milliseconds for a page, so that a thread calls it. */
export function compress(body: Uint8Array): PackedForms {
  const params = {
    // The next level takes twice as long for a third of a per cent.
    [constants.BROTLI_PARAM_QUALITY]: 8,
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
    [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
    // The default window of 4 MiB costs 17 times the work on a page, for the same size.
    [constants.BROTLI_PARAM_LGWIN]: Math.min(22, Math.max(16, Math.ceil(Math.log2(body.length)))),
  }
  // Copied, because a buffer may be a part of a larger one, which would be sent as a whole.
  const copy = (packed: Uint8Array) => new Uint8Array(packed)
  const br = copy(brotliCompressSync(body, { params }))
  // Higher levels take a quarter longer for a sixth of a per cent.
  const gz = copy(gzipSync(body, { level: 6 }))
  const isWorthIt = (packed: Uint8Array) => packed.length < body.length * 0.9
  return { ...(isWorthIt(br) && { br }), ...(isWorthIt(gz) && { gz }) }
}
