/** The value of JSON text or of UTF-8 bytes; undefined when it is none. */
export function parseJson(text: string | Uint8Array): unknown {
  try {
    return JSON.parse(typeof text === 'string' ? text : new TextDecoder('utf-8', { fatal: true }).decode(text))
  } catch {
    return undefined
  }
}

/** The value of base64 over JSON, as x402 v2 writes its headers; undefined when it is none. */
export const parseBase64Json = (text: string): unknown =>
  /^[A-Za-z0-9+/]+={0,2}$/.test(text) ? parseJson(Buffer.from(text, 'base64')) : undefined
