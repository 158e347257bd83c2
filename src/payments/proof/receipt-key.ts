import { createHash, createPrivateKey, createPublicKey, hkdfSync, type KeyObject } from 'node:crypto'
import { join } from 'node:path'
import { readSecret } from '../../storage/read-secret.ts'

/** The Ed25519 key that signs the receipts of this installation. It controls no money. */
export interface ReceiptKey {
  readonly privateKey: KeyObject
  /** The public key as a JWK has it: 32 bytes in base64url. */
  readonly x: string
}

/** The bytes before the seed in the PKCS #8 form of an Ed25519 private key (RFC 8410, section 7). */
const pkcs8Head = Buffer.from('302e020100300506032b657004220420', 'hex')

/**
 * The key that signs receipts: derived from the installation's secret where that is set, otherwise from a file in the
 * data folder, which is created on the first start. It is never the wallet's key.
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
