import { hkdfSync } from 'node:crypto'
import { z } from 'zod'
import { deriveEd25519Key } from '../core/ed25519-key.ts'

const jwkSchema = z.object({ kty: z.literal('OKP'), crv: z.literal('Ed25519'), x: z.string(), d: z.string() })

/**
 * Derives the keys of the authorization server (HKDF, RFC 5869). They are always the same for one installation, so that
 * restarts and several processes accept each other's cookies, and the key of one use reveals nothing about the others.
 */
export function deriveKeys(secret: string) {
  const derive = (use: string): Buffer => Buffer.from(hkdfSync('sha256', secret, '', `farthing oauth ${use}`, 32))
  const key = deriveEd25519Key(secret, 'farthing oauth signing')
  return {
    cookies: derive('cookies').toString('base64url'),
    messages: derive('messages'),
    pages: derive('pages'),
    signing: { ...jwkSchema.parse(key.export({ format: 'jwk' })), alg: 'EdDSA', use: 'sig' },
  }
}
