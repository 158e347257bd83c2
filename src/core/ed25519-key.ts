import { createPrivateKey, hkdfSync, type KeyObject } from 'node:crypto'

/** The DER bytes before the 32-byte seed in a PKCS #8 Ed25519 private key (RFC 8410). */
const prefix = Buffer.from('302e020100300506032b657004220420', 'hex')

/**
 * Derives an Ed25519 key from the secret of an installation (HKDF, RFC 5869). The same `use` always gives the same key,
 * and the key of one use reveals nothing about those of others.
 */
export const deriveEd25519Key = (secret: string, use: string): KeyObject =>
  createPrivateKey({
    key: Buffer.concat([prefix, Buffer.from(hkdfSync('sha256', secret, '', use, 32))]),
    format: 'der',
    type: 'pkcs8',
  })
