import { createHmac, timingSafeEqual } from 'node:crypto'

/**
 * What links in e-mails carry: the reader's id, signed for one purpose. Nothing of it is kept, and nobody makes one
 * without the secret.
 */
export function makeReaderTokens(secret: string) {
  const sign = (said: string): string => createHmac('sha256', secret).update(`newsletter ${said}`).digest('base64url')
  const toToken = (...said: readonly string[]): string => [...said.slice(1), sign(said.join('.'))].join('.')
  const isRight = (given: string, ...said: readonly string[]): boolean => {
    const [one, other] = [Buffer.from(given), Buffer.from(sign(said.join('.')))]
    return one.length === other.length && timingSafeEqual(one, other)
  }
  return {
    /** Confirms until then, in milliseconds. */
    toConfirm: (id: string, until: number): string => toToken('confirm', id, String(until)),
    /** The reader whom a token confirms; undefined when it is none, or too old. */
    readConfirm(token: string, now: number): string | undefined {
      const [id = '', until = '', mac = ''] = token.split('.')
      return isRight(mac, 'confirm', id, until) && Number(until) > now ? id : undefined
    },
    /** Ends the letters to a reader, at any time. */
    toLeave: (id: string): string => toToken('leave', id),
    readLeave(token: string): string | undefined {
      const [id = '', mac = ''] = token.split('.')
      return isRight(mac, 'leave', id) ? id : undefined
    },
  }
}

export type ReaderTokens = ReturnType<typeof makeReaderTokens>
