/** Parses JSON text or UTF-8 bytes; undefined when invalid. */
export function parseJson(text: string | Uint8Array): unknown {
  try {
    return JSON.parse(typeof text === 'string' ? text : new TextDecoder('utf-8', { fatal: true }).decode(text))
  } catch {
    return undefined
  }
}

/** Parses base64 of JSON, the format of x402 v2 headers; undefined when invalid. */
export const parseBase64Json = (text: string): unknown =>
  /^[A-Za-z0-9+/]+={0,2}$/.test(text) ? parseJson(Buffer.from(text, 'base64')) : undefined
