import { createPrivateKey, hkdfSync, type KeyObject } from 'node:crypto'

/** An Ed25519 private key is its seed behind this prefix (RFC 8410, PKCS #8). */
const prefix = Buffer.from('302e020100300506032b657004220420', 'hex')

/**
 * The Ed25519 key that an installation has for one use, always the same one, and telling nothing of its others (HKDF,
 * RFC 5869).
 */
export const deriveEd25519Key = (secret: string, use: string): KeyObject =>
  createPrivateKey({
    key: Buffer.concat([prefix, Buffer.from(hkdfSync('sha256', secret, '', use, 32))]),
    format: 'der',
    type: 'pkcs8',
  })
