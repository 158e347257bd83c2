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

/** Where a purchase is made: what it asks of its page. */
export interface Counter {
  readonly isSandbox: boolean
  /** Says where the purchase stands. */
  say(...content: readonly (string | Node)[]): void
  /** Which wallet pays; nothing when there is none, or nobody chose one, of which the page has told. */
  choose(): Promise<Wallet | undefined>
  /** Whether the buyer has seen this price, in millionths of a dollar; shows it where not. */
  agrees(amount: string): boolean
  /** Told what the shop found wrong with a request before anything was signed for it, or what it says of its terms. */
  heard(body: Fields): boolean
  /** Gives the buyer what was bought. */
  hand(delivery: Delivery, purchase: Purchase): void | Promise<void>
}

/**
 * Buys: asks for the terms, lets a wallet sign them, and sends the same request with the same signature until it is
 * known what became of it. What was signed for the same before is sent first, and signed again only in its place.
 */
export async function buy(counter: Counter, purchase: Purchase): Promise<void> {
  const kept = findKept(purchase.id)
  // What may have been paid for is fetched as it was asked for; what was declined may buy what is wanted now.
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

/** Goes on with what was signed in this browser before its page was closed. */
export async function resume(counter: Counter, kept: SignedPurchase): Promise<void> {
  return tell(counter, kept, await settle(counter, kept), kept)
}

/**
 * Whether terms deserve a signature. The same ones deserve the same, unless that has too little time left or is none of
 * the wallet that pays; and an owner of an earlier version signs for the new one after hearing of both.
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
 * Asks until it is known what became of a signed purchase. When nobody answers until the signature has ended, it is
 * given up for now, and taken up when the page is opened again.
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

/** Waits so long, or until the browser has a connection again. */
const untilWorthwhile = (waitMs: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, waitMs)
    window.addEventListener('online', () => resolve(), { once: true, signal: AbortSignal.timeout(waitMs) })
  })

/** Tells how a purchase went. `signed`: as it was kept, which may be another request than what was sent with its signature. */
function tell(counter: Counter, purchase: Purchase, answer: Answer, signed?: SignedPurchase): void | Promise<void> {
  if (answer.is === 'done') return counter.hand(answer, purchase)
  if (answer.is === 'pending') return counter.say(givenUp)
  const { reason, body } = answer
  if (signed && body['charged'] === true) {
    // What is wrong with a request says nothing of what was bought: that is asked for again as it was paid for.
    if (body['errors']) keepPurchase({ ...signed, declined: '' })
    else forgetPurchase(signed)
    return counter.say(reason)
  }
  if (counter.heard(body)) return undefined
  return counter.say(signed ? toDeclined(answer, readAuthorization(signed)) : `${reason}. Nothing was charged.`)
}
