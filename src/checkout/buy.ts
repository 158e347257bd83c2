import type { Fields } from '../browser/read-value.ts'
import { readText } from '../browser/read-value.ts'
import {
  type Authorization,
  findKept,
  forgetPurchase,
  hasEnded,
  keepPurchase,
  type Purchase,
  readAuthorization,
  type SignedPurchase,
} from './kept-purchases.ts'
import type { Terms } from './read-terms.ts'
import { type Answer, askTerms, type Delivery, type Demand, send } from './send.ts'
import { sign } from './sign.ts'
import type { Wallet } from './wallet.ts'
import { givenUp, toDeclined, toRefused, waiting } from './words.ts'

/** What a purchase needs from its page. */
export interface Counter {
  readonly isSandbox: boolean
  /** Shows the progress of the purchase. */
  say(...content: readonly (string | Node)[]): void
  /** Resolves to the wallet that pays; undefined when there is none or nobody chose one, which the page has said. */
  choose(): Promise<Wallet | undefined>
  /** Whether the buyer has seen this price (micro-USD); shows it where not. */
  agrees(amount: string): boolean
  /**
   * Called with the body of an unpaid response: faults of the request, or the terms. Returns whether it has shown
   * faults.
   */
  heard(body: Fields): boolean
  /** Gives the product to the buyer. */
  hand(delivery: Delivery, purchase: Purchase): void | Promise<void>
}

/**
 * Buys: asks for the terms, lets a wallet sign them, and sends the same request with the same signature until the
 * result is known. An earlier signature for the same product is sent first; a new one only replaces it.
 */
export async function buy(counter: Counter, purchase: Purchase): Promise<void> {
  const kept = findKept(purchase.id)
  // An earlier signature is sent with the request it was made for; one that was declined may buy what the form says
  // now.
  const signed = kept?.declined ? { ...kept, ...purchase } : kept
  counter.say(signed ? 'Sending what you signed before…' : 'Asking for the terms…')
  const answer = signed ? await settle(counter, signed) : await askTerms(purchase)
  const earlier = signed && readAuthorization(signed)
  const open = earlier && !hasEnded(earlier) ? earlier : undefined
  if (answer.is !== 'terms' || counter.heard(answer.body) || !isDue(answer, open, kept?.declined))
    return tell(counter, signed ?? purchase, answer, kept)
  if (!counter.agrees(answer.terms.amount))
    return counter.say('The price is another one now, and nothing was charged. Press again if you agree.')
  return pay(counter, purchase, answer.terms, open)
}

/** Continues with a signature from before the page was closed. */
export async function resume(counter: Counter, kept: SignedPurchase): Promise<void> {
  return tell(counter, kept, await settle(counter, kept), kept)
}

/**
 * Whether to sign the terms. The same terms are not signed again, unless the shop says that the earlier signature is
 * expired or invalid. The owner of an earlier version signs for the new one only after having been told about both.
 */
function isDue({ terms, body, reason }: Demand, open: Authorization | undefined, told: string | undefined): boolean {
  if (body['owned']) return told === reason
  const { amount, payTo, required } = terms
  const isSame = amount === open?.amount && payTo.toLowerCase() === open.payTo.toLowerCase()
  return !isSame || /payload|signature|expired/.test(readText(required['error']))
}

async function pay(counter: Counter, purchase: Purchase, terms: Terms, earlier?: Authorization): Promise<void> {
  const wallet = await counter.choose()
  if (!wallet) return
  counter.say(
    earlier
      ? 'Your wallet asks you to sign again, in place of the payment before. Only one of the two can be taken.'
      : 'Your wallet asks you to sign one payment of exactly this price.',
  )
  const signed = await sign(wallet, terms, { isSandbox: counter.isSandbox, earlier })
  if (signed.is !== 'signed') return counter.say(toRefused(signed, earlier))
  counter.say('Paying. The work is done first and charged last.')
  return resume(counter, { ...purchase, header: signed.header, aheadMs: Math.max(-terms.lateMs, 0) })
}

/**
 * Retries a signed purchase until its result is known. When there is no response until the signature has expired, it is
 * given up for now, and continued when the page is opened again.
 */
async function settle(counter: Counter, purchase: SignedPurchase): Promise<Answer> {
  const earlier = readAuthorization(purchase)
  for (;;) {
    const answer = await send(purchase)
    if (answer.is !== 'pending' || hasEnded(earlier)) return answer
    counter.say(waiting[answer.why])
    await untilWorthwhile(answer.waitMs)
  }
}

/** Waits for `waitMs`, or until the browser is online again. */
const untilWorthwhile = (waitMs: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, waitMs)
    window.addEventListener('online', () => resolve(), { once: true, signal: AbortSignal.timeout(waitMs) })
  })

/**
 * Shows the result of a purchase. `signed` is the stored purchase, whose request may differ from the one that was sent
 * with its signature.
 */
function tell(counter: Counter, purchase: Purchase, answer: Answer, signed?: SignedPurchase): void | Promise<void> {
  if (answer.is === 'done') return counter.hand(answer, purchase)
  if (answer.is === 'pending') return counter.say(givenUp)
  const { reason, body } = answer
  if (signed && body['charged'] === true) {
    // The faults are about this request, not about what was paid for: that is requested again with its own request.
    if (body['errors']) keepPurchase({ ...signed, declined: '' })
    else forgetPurchase(signed)
    return counter.say(reason)
  }
  if (counter.heard(body)) return undefined
  return counter.say(signed ? toDeclined(answer, readAuthorization(signed)) : `${reason}. Nothing was charged.`)
}
