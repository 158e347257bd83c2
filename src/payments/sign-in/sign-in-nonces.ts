import { createCipheriv, createSecretKey, hkdfSync, randomFillSync, timingSafeEqual } from 'node:crypto'

/** Minutes in which a message must be signed and sent after it was issued. */
export const signInMinutes = 10
/** How far the clocks of two programs of one shop may differ, in milliseconds. */
export const skewMs = 5000
const minuteMs = 60 * 1000
/** How many are drawn together: every 402 needs one, and a call of OpenSSL for each would be a tenth of its cost. */
const drawnAtOnce = 64
/** A nonce in bytes: the minute, the random part and the MAC. */
const bytes = { minute: 4, random: 6, mark: 8 } as const
const saidBytes = bytes.minute + bytes.random
const nonceBytes = saidBytes + bytes.mark
const blockBytes = 16
const form = /^[0-9a-f]{36}$/

/**
 * Makes and checks nonces that carry the minute at which they were issued and a MAC by this installation. So nothing is
 * stored for a sign-in that is never completed, and a message signed in advance for later use is refused.
 *
 * The MAC is AES-256 of what the nonce says, which always fits one block, cut to 64 bits: a CBC-MAC of one block, which
 * is as good as the cipher for texts of one length (FIPS 113; NIST SP 800-38B, appendix A).
 *
 * @param secret of this installation
 */
export function makeSignInNonces(secret: string, now: () => number) {
  const key = createSecretKey(new Uint8Array(hkdfSync('sha256', secret, '', 'nonces of wallets that sign in', 32)))
  let drawn = { minute: -1, texts: '', used: drawnAtOnce }

  /** Enciphers blocks each by itself. */
  const toMarks = (blocks: Buffer): Buffer =>
    createCipheriv('aes-256-ecb', key, null).setAutoPadding(false).update(blocks)

  const drawMany = (minute: number): string => {
    const nonces = randomFillSync(Buffer.alloc(nonceBytes * drawnAtOnce))
    const blocks = Buffer.alloc(blockBytes * drawnAtOnce)
    for (let at = 0; at < drawnAtOnce; at++) {
      nonces.writeUInt32BE(minute, nonceBytes * at)
      nonces.copy(blocks, blockBytes * at, nonceBytes * at, nonceBytes * at + saidBytes)
    }
    const marks = toMarks(blocks)
    for (let at = 0; at < drawnAtOnce; at++)
      marks.copy(nonces, nonceBytes * at + saidBytes, blockBytes * at, blockBytes * at + bytes.mark)
    return nonces.toString('hex')
  }

  return {
    /** A new nonce of 36 hexadecimal digits. */
    draw(): string {
      const minute = Math.floor(now() / minuteMs)
      if (drawn.minute !== minute || drawn.used === drawnAtOnce) drawn = { minute, texts: drawMany(minute), used: 0 }
      const at = 2 * nonceBytes * drawn.used++
      return drawn.texts.slice(at, at + 2 * nonceBytes)
    },
    /** Whether a nonce was issued by this installation within the last `signInMinutes`, by a clock within `skewMs`. */
    isOurs(nonce: string): boolean {
      if (!form.test(nonce)) return false
      const given = Buffer.from(nonce, 'hex')
      const block = Buffer.alloc(blockBytes)
      given.copy(block, 0, 0, saidBytes)
      if (!timingSafeEqual(given.subarray(saidBytes), toMarks(block).subarray(0, bytes.mark))) return false
      const issued = given.readUInt32BE()
      const [newest, oldest] = [now() + skewMs, now() - signInMinutes * minuteMs]
      return issued <= Math.floor(newest / minuteMs) && issued >= Math.floor(oldest / minuteMs)
    },
  }
}

export type SignInNonces = ReturnType<typeof makeSignInNonces>
