import type { Fields } from '../browser/read-value.ts'
import { readText } from '../browser/read-value.ts'
import {
  type Authorization,
  findKept,
  forgetPurchase,
  hasEnded,
  type Purchase,
  readAuthorization,
  type SignedPurchase,
} from './kept-purchases.ts'
import type { Terms } from './read-terms.ts'
import { type Answer, askTerms, type Delivery, send } from './send.ts'
import { sign } from './sign.ts'
import type { Wallet } from './wallet.ts'
import { toReason, toRefused, toTime, waiting } from './words.ts'

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
  heard?(body: Fields): boolean
  /** Gives the buyer what was bought. */
  hand(delivery: Delivery, purchase: Purchase): void | Promise<void>
}

/**
 * Buys: asks for the terms, lets a wallet sign them, and sends the same request with the same signature until it is
 * known what became of it. What was signed for the same before is sent first, and signed again only in its place.
 */
export async function buy(counter: Counter, purchase: Purchase): Promise<void> {
  const kept = findKept(purchase.id)
  if (kept) return goOn(counter, { ...kept, ...purchase })
  counter.say('Asking for the terms…')
  const asked = await askTerms(purchase)
  if (asked.is === 'done') return counter.hand(asked, purchase)
  if (asked.is !== 'terms') return tell(counter, purchase, asked)
  if (counter.heard?.(asked.body)) return
  if (!counter.agrees(asked.terms.amount))
    return counter.say('The price is another one now. Nothing was charged: press the button again if you agree.')
  return pay(counter, purchase, asked.terms)
}

/** Goes on with what was signed in this browser before its page was closed. */
export async function resume(counter: Counter, kept: SignedPurchase): Promise<void> {
  return tell(counter, kept, await settle(counter, kept))
}

/** Sends what was signed before; only when the shop wants something else is another signed, in its place. */
async function goOn(counter: Counter, kept: SignedPurchase): Promise<void> {
  counter.say('Sending what you signed before…')
  const answer = await settle(counter, kept)
  const earlier = readAuthorization(kept)
  if (answer.is !== 'terms' || counter.heard?.(answer.body)) return tell(counter, kept, answer)
  if (!hasEnded(earlier) && !isOther(answer.terms, earlier)) return tell(counter, kept, answer)
  if (!counter.agrees(answer.terms.amount))
    return counter.say('The price is another one now. Nothing was charged: press the button again if you agree.')
  return pay(counter, kept, answer.terms, hasEnded(earlier) ? undefined : earlier)
}

/** The same terms deserve the same signature, unless that has too little time left. */
function isOther({ amount, payTo, required }: Terms, earlier: Authorization): boolean {
  const isSame = amount === earlier.amount && payTo.toLowerCase() === earlier.payTo.toLowerCase()
  return !isSame || /valid_before|expired/.test(readText(required['error']))
}

async function pay(counter: Counter, purchase: Purchase, terms: Terms, earlier?: Authorization): Promise<void> {
  const wallet = await counter.choose()
  if (!wallet) return
  counter.say(
    earlier
      ? 'Your wallet asks you to sign again: a payment in place of the one before. Only one of the two can be taken.'
      : 'Your wallet asks you to sign. It is one payment of exactly this price; no other is allowed by it.',
  )
  const signed = await sign(wallet, terms, { isSandbox: counter.isSandbox, earlier })
  if (signed.is !== 'signed') return counter.say(toRefused(signed, earlier))
  counter.say('Paying. The work is done first and charged last, so this may take a moment.')
  const { id, method, path, body } = purchase
  return resume(counter, { id, method, path, body, header: signed.header })
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
    const go = (): void => {
      window.removeEventListener('online', go)
      clearTimeout(timer)
      resolve()
    }
    const timer = setTimeout(go, waitMs)
    window.addEventListener('online', go)
  })

/** Tells how a purchase went. */
function tell(counter: Counter, purchase: Purchase | SignedPurchase, answer: Answer): void | Promise<void> {
  if (answer.is === 'done') return counter.hand(answer, purchase)
  if (answer.is === 'pending')
    return counter.say(
      'The shop did not answer before what you signed ended. If it took the payment, it keeps your product for seven days: open this page again, and it is asked again.',
    )
  if (!('header' in purchase)) {
    if (answer.is === 'terms' || !counter.heard?.(answer.body)) counter.say(`${answer.reason} Nothing was charged.`)
    return undefined
  }
  if (answer.body['charged'] === true) {
    forgetPurchase(purchase)
    return counter.say(answer.reason)
  }
  const earlier = readAuthorization(purchase)
  if (counter.heard?.(answer.body)) return undefined
  const still = hasEnded(earlier)
    ? 'What you signed has ended, and cannot be charged any more.'
    : `What you signed stays good until ${toTime(earlier)}. The button sends the same again, and anything else you sign before then only takes its place: one of the two can be taken, never both.`
  return counter.say(`${toReason(answer)} ${still}`)
}
