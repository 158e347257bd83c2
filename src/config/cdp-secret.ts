import { createPrivateKey, type KeyObject } from 'node:crypto'
import { z } from 'zod'

const wrong =
  'must be an Ed25519 secret (64 bytes in base64) or a PEM of an EC key on P-256, as the CDP portal shows it'

/** Seed and public key, as the portal shows them. */
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

/** The secret of an API key of the Coinbase Developer Platform. Line ends of a PEM may be written as `\n`. */
export const cdpSecret = z.string().transform((given, context) => {
  const text = given.replaceAll('\\n', '\n').trim()
  try {
    const key = text.startsWith('-----BEGIN') ? readEc(text) : readEd25519(text)
    if (key) return key
  } catch {
    // What the reader says of a bad key may quote it.
  }
  context.addIssue({ code: 'custom', message: wrong })
  return z.NEVER
})
