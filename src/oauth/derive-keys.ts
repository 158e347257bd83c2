import { createPrivateKey, hkdfSync } from 'node:crypto'
import { z } from 'zod'

/** An Ed25519 private key is its seed behind this prefix (RFC 8410, PKCS #8). */
const ed25519Prefix = Buffer.from('302e020100300506032b657004220420', 'hex')

const jwkSchema = z.object({ kty: z.literal('OKP'), crv: z.literal('Ed25519'), x: z.string(), d: z.string() })

/**
 * The keys of the authorization server, always the same for one installation, so that restarts and several processes
 * believe each other's cookies (HKDF, RFC 5869: a key for each use, none of which tells of another).
 */
export function deriveKeys(secret: string) {
  const derive = (use: string): Buffer => Buffer.from(hkdfSync('sha256', secret, '', `farthing oauth ${use}`, 32))
  const key = createPrivateKey({
    key: Buffer.concat([ed25519Prefix, derive('signing')]),
    format: 'der',
    type: 'pkcs8',
  })
  return {
    cookies: derive('cookies').toString('base64url'),
    messages: derive('messages'),
    pages: derive('pages'),
    signing: { ...jwkSchema.parse(key.export({ format: 'jwk' })), alg: 'EdDSA', use: 'sig' },
  }
}
