import { createHmac, createSecretKey, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'

/** Minutes in which a message must be signed and sent after it was issued. */
export const signInMinutes = 10
/** How far the clocks of two programs of one shop may differ, in milliseconds. */
export const skewMs = 5000
const minuteMs = 60 * 1000
/**
 * How many random parts are drawn together: every 402 needs one, and a system call for each would dominate its cost.
 */
const drawnAtOnce = 512
const randomDigits = 12
const form = /^([0-9a-f]{8})([0-9a-f]{12})([0-9a-f]{16})$/

/**
 * Makes and checks nonces that carry the minute at which they were issued and a MAC by this installation. So nothing is
 * stored for a sign-in that is never completed, and a message signed in advance for later use is refused.
 *
 * @param secret of this installation
 */
export function makeSignInNonces(secret: string, now: () => number) {
  const key = createSecretKey(new Uint8Array(hkdfSync('sha256', secret, '', 'nonces of wallets that sign in', 32)))
  let drawn = ''
  const drawRandom = (): string => {
    if (drawn === '') drawn = randomBytes((randomDigits / 2) * drawnAtOnce).toString('hex')
    const random = drawn.slice(0, randomDigits)
    drawn = drawn.slice(randomDigits)
    return random
  }
  const markOf = (text: string): string => createHmac('sha256', key).update(text).digest('hex').slice(0, 16)
  return {
    /** A new nonce of 36 hexadecimal digits. */
    draw(): string {
      const minute = Math.floor(now() / minuteMs)
        .toString(16)
        .padStart(8, '0')
      const text = minute + drawRandom()
      return text + markOf(text)
    },
    /** Whether a nonce was issued by this installation within the last `signInMinutes`, by a clock within `skewMs`. */
    isOurs(nonce: string): boolean {
      const [, minute = '', random = '', mark = ''] = form.exec(nonce) ?? []
      if (mark === '' || !timingSafeEqual(Buffer.from(mark), Buffer.from(markOf(minute + random)))) return false
      const issued = Number.parseInt(minute, 16)
      const [newest, oldest] = [now() + skewMs, now() - signInMinutes * minuteMs]
      return issued <= Math.floor(newest / minuteMs) && issued >= Math.floor(oldest / minuteMs)
    },
  }
}

export type SignInNonces = ReturnType<typeof makeSignInNonces>
