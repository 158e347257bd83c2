import { createHmac, createSecretKey, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'

/** How long a wallet may take to sign, and a signed message may be shown. */
export const signInMinutes = 10
const minuteMs = 60 * 1000
/** Every 402 has one: to ask for so little randomness and to take up the key each time would cost more than all the rest. */
const drawnAtOnce = 512
const randomDigits = 12
const form = /^([0-9a-f]{8})([0-9a-f]{12})([0-9a-f]{16})$/

/**
 * Numbers that only this installation can have made out, and that tell when: nothing is kept for a sign-in that nobody
 * comes back with, and nobody signs today what is shown next week.
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
    /** 36 letters and digits. */
    draw(): string {
      const minute = Math.floor(now() / minuteMs)
        .toString(16)
        .padStart(8, '0')
      const text = minute + drawRandom()
      return text + markOf(text)
    },
    /** Whether it was made out here, not long ago. */
    isOurs(nonce: string): boolean {
      const [, minute = '', random = '', mark = ''] = form.exec(nonce) ?? []
      if (mark === '' || !timingSafeEqual(Buffer.from(mark), Buffer.from(markOf(minute + random)))) return false
      const age = Math.floor(now() / minuteMs) - Number.parseInt(minute, 16)
      return age >= 0 && age <= signInMinutes
    },
  }
}

export type SignInNonces = ReturnType<typeof makeSignInNonces>
