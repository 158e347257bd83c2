import { createPrivateKey, type KeyObject } from 'node:crypto'
import { z } from 'zod'

const wrong =
  'must be an Ed25519 secret (64 bytes in base64) or a PEM of an EC key on P-256, as the CDP portal shows it'

/** Reads a 32-byte seed followed by the 32-byte public key in base64, as the portal shows it. */
function readEd25519(text: string): KeyObject | undefined {
  const bytes = Buffer.from(text, 'base64')
  if (bytes.length !== 64 || bytes.toString('base64') !== text) return undefined
  const d = bytes.subarray(0, 32).toString('base64url')
  const x = bytes.subarray(32).toString('base64url')
  return createPrivateKey({ format: 'jwk', key: { kty: 'OKP', crv: 'Ed25519', d, x } })
}

function readEc(pem: string): KeyObject | undefined {
  const key = createPrivateKey(pem)
  return key.asymmetricKeyDetails?.namedCurve === 'prime256v1' ? key : undefined
}

/**
 * Parses the secret of an API key of the Coinbase Developer Platform. Line breaks of a PEM may be written as `
 * `.
 */
export const cdpSecret = z.string().transform((given, context) => {
  const text = given.replaceAll('\\n', '\n').trim()
  try {
    const key = text.startsWith('-----BEGIN') ? readEc(text) : readEd25519(text)
    if (key) return key
  } catch {
    // The parser's message is dropped because it may quote the key.
  }
  context.addIssue({ code: 'custom', message: wrong })
  return z.NEVER
})
