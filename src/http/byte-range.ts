/** Which bytes a `Range` header asks for; `end` is the last byte, included. */
export type ByteRange =
  | { readonly is: 'whole' }
  | { readonly is: 'part'; readonly start: number; readonly end: number }
  | { readonly is: 'unsatisfiable' }

const whole: ByteRange = { is: 'whole' }

/**
 * Reads a `Range` header against a known size (RFC 9110, 14.2). A header that is malformed, in another unit
 * or asks for several ranges is ignored, as the RFC allows; only a well-formed range beyond the end is an error.
 *
 * @example readByteRange('bytes=-500', 2000) // { is: 'part', start: 1500, end: 1999 }
 */
export function readByteRange(header: string | undefined, size: number): ByteRange {
  const parts = /^bytes=[ \t]*(\d*)-(\d*)[ \t]*$/i.exec(header ?? '')
  if (!parts) return whole
  const [, first = '', last = ''] = parts
  if (first === '') {
    if (last === '') return whole
    const length = Math.min(Number(last), size)
    return length === 0 ? { is: 'unsatisfiable' } : { is: 'part', start: size - length, end: size - 1 }
  }
  const start = Number(first)
  if (last !== '' && Number(last) < start) return whole
  if (start >= size) return { is: 'unsatisfiable' }
  return { is: 'part', start, end: last === '' ? size - 1 : Math.min(Number(last), size - 1) }
}
