import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

const nonceBytes = 12
const tagBytes = 16

/**
 * Encrypts signed payments while they wait in the ledger (AES-256-GCM), so that neither a backup nor a look at the file
 * hands out signatures that are not on the chain yet.
 *
 * @param secret of this installation
 */
export function makeSeal(secret: string) {
  const key = new Uint8Array(hkdfSync('sha256', secret, '', 'signed payments in the ledger', 32))
  return {
    /**
     * Encrypts a text.
     *
     * @returns base64url of nonce, ciphertext and tag
     */
    close(text: string): string {
      const nonce = randomBytes(nonceBytes)
      const cipher = createCipheriv('aes-256-gcm', key, nonce)
      const closed = [cipher.update(text, 'utf8'), cipher.final()]
      return Buffer.concat([nonce, ...closed, cipher.getAuthTag()]).toString('base64url')
    },
    /** Decrypts a text; undefined when it was encrypted with another secret or changed since. */
    open(sealed: string): string | undefined {
      const bytes = Buffer.from(sealed, 'base64url')
      if (bytes.length < nonceBytes + tagBytes) return undefined
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, nonceBytes))
      decipher.setAuthTag(bytes.subarray(-tagBytes))
      try {
        const opened = [decipher.update(bytes.subarray(nonceBytes, -tagBytes)), decipher.final()]
        return Buffer.concat(opened).toString('utf8')
      } catch {
        return undefined
      }
    },
  }
}

export type Seal = ReturnType<typeof makeSeal>
