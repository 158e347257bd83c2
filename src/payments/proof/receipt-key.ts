import { createHash, createPrivateKey, createPublicKey, hkdfSync, type KeyObject } from 'node:crypto'
import { join } from 'node:path'
import { readSecret } from '../../storage/read-secret.ts'

/** What receipts of this installation are signed with (Ed25519). No money is behind it. */
export interface ReceiptKey {
  readonly privateKey: KeyObject
  /** The public key as a JWK has it: 32 bytes in base64url. */
  readonly x: string
}

/** A private key of Ed25519 in PKCS #8 is these bytes and its seed (RFC 8410, 7). */
const pkcs8Head = Buffer.from('302e020100300506032b657004220420', 'hex')

/**
 * The key that signs receipts: made from the installation's secret where that is set, else kept in the data folder and
 * made there on the first start. It is never the wallet's.
 *
 * @throws Error when its file is damaged
 */
export function readReceiptKey({ dataDir, secret }: { dataDir: string; secret: string | undefined }): ReceiptKey {
  const seed =
    secret === undefined
      ? createHash('sha256')
          .update(readSecret(join(dataDir, 'receipts.key')))
          .digest()
      : Buffer.from(hkdfSync('sha256', secret, '', 'farthing receipts', 32))
  const privateKey = createPrivateKey({ key: Buffer.concat([pkcs8Head, seed]), format: 'der', type: 'pkcs8' })
  const { x } = createPublicKey(privateKey).export({ format: 'jwk' })
  if (x === undefined) throw new Error('an Ed25519 key has no x')
  return { privateKey, x }
}
