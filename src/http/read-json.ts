import { isShallow } from '../core/is-shallow.ts'
import { readBody } from './read-body.ts'

/** The JSON object in a body, or the reason why there is none. */
export type JsonBody =
  | { readonly is: 'object'; readonly value: object }
  | { readonly is: 'refused'; readonly kind: Refusal; readonly detail: string }

type Refusal = 'invalid-input' | 'body-too-large' | 'unsupported-media-type'

const refuse = (detail: string, kind: Refusal = 'invalid-input'): JsonBody => ({ is: 'refused', kind, detail })

/**
 * Reads a JSON object from the body of a request: uncompressed UTF-8 without a byte order mark, at most `maxBytes` long
 * and at most `maxDepth` levels deep.
 *
 * @example const body = await readJson(request, { maxBytes: 65_536, maxDepth: 32 })
 */
export async function readJson(
  request: Request,
  { maxBytes, maxDepth }: { maxBytes: number; maxDepth: number },
): Promise<JsonBody> {
  const type = request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase()
  // Some libraries send `identity`, which is not an encoding (RFC 9110, 8.4.1).
  if (!/^identity$/i.test(request.headers.get('content-encoding') ?? 'identity'))
    return refuse('the body must not be compressed (no Content-Encoding)', 'unsupported-media-type')
  if (type !== 'application/json') return refuse('the Content-Type must be application/json', 'unsupported-media-type')
  // The client is gone when its body breaks off, so this response only has to be harmless.
  const bytes = await readBody(request, maxBytes).catch(() => null)
  if (bytes === null) return refuse('the body was cut off')
  if (!bytes) return refuse(`the body may have ${maxBytes} bytes at most`, 'body-too-large')
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return refuse('the body is not UTF-8')
  }
  if (text.startsWith('\ufeff')) return refuse('the body must not start with a byte order mark')
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return refuse(text === '' ? 'a JSON object is needed' : 'the body is not JSON')
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return refuse('the body must be a JSON object')
  if (!isShallow(value, maxDepth)) return refuse(`the body may be nested ${maxDepth} levels deep at most`)
  return { is: 'object', value }
}
