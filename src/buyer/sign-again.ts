import { hasEnded, toEarliest, toExposures } from './exposure.ts'
import { type Outcome, toDearness } from './outcome.ts'
import { PurchaseRecordError } from './pending-purchases.ts'
import { printable } from './printable.ts'
import type { SignedAnswer } from './read-signed-answer.ts'
import type { Order } from './send-request.ts'
import { type Begun, type Budget, type SigningBuyer, signWithin } from './sign-within.ts'
import { type Challenge, chooseTerms } from './terms.ts'

type Declined = Extract<SignedAnswer, { is: 'declined' }>

/**
 * Signs what a 402 asks for in place of the payment that it declines, where that cannot become a second payment: under
 * the same nonce, or under a new one when the old is of no use any more or of another token, nothing signed under it can
 * be collected from now on, and the limit covers both.
 */
export async function signAgain(
  order: Order,
  begun: Begun,
  { reason, demand }: Declined,
  budget: Budget,
  buyer: SigningBuyer,
): Promise<Begun | Outcome> {
  const stop = (why?: string): Outcome => refuse(order, begun, buyer, why === undefined ? reason : `${reason}; ${why}`)
  const { purchase } = begun
  if (!demand) return stop()
  const open = await buyer.purchases.find(order)
  const isUseless = isNonceRefused(reason)
  // A nonce is the token's own, too: another one would honour it once more.
  const isOther = budget.asset.toLowerCase() !== purchase.asset.toLowerCase()
  const isApart = isUseless || isOther
  const nowMs = toEarliest(buyer.now(), demand.shopMs)
  if (isApart && !open.signatures.every((signed) => hasEnded(signed, nowMs)))
    return stop(
      isOther
        ? 'a payment in another token is signed already, and has to expire before one with --asset is signed'
        : undefined,
    )
  if (!isUseless && !isRenewable(begun, demand.challenge, nowMs)) return stop()
  const signer = await buyer.findSigner()
  // A nonce is the payer's own: under another wallet the same number excludes nothing.
  if (!isApart && signer && signer.payer.toLowerCase() !== purchase.payer.toLowerCase())
    return stop(`it was signed by ${purchase.payer}, and the key given now is not that wallet's`)
  buyer.say(
    isApart
      ? `the shop declines a payment that has expired (${printable(reason)}); signing a new one`
      : `the shop declines the payment (${printable(reason)}) and asks again; signing one that replaces it`,
  )
  const nonce = isApart ? undefined : purchase.nonce
  try {
    const step = await signWithin(order, demand, budget, buyer, { open, nonce })
    switch (step.is) {
      case 'begun':
        return step
      case 'too-dear':
        return stop(toDearness(step))
      case 'unpayable':
        return stop(step.detail)
      case 'no-key':
        return stop('there is no key to sign with')
    }
  } catch (error) {
    if (error instanceof PurchaseRecordError) return stop(error.message)
    throw error
  }
}

/** How a purchase ends whose payment was declined: what was signed stays signed. */
export const refuse = (
  order: Order,
  { purchase, signatures }: Begun,
  { purchases }: Pick<SigningBuyer, 'purchases'>,
  reason: string,
): Outcome => ({
  is: 'payment-refused',
  reason: printable(reason),
  payer: purchase.payer,
  risk: toExposures(signatures),
  record: purchases.path(order),
})

/** A nonce that was used, or that the shop knows from another payment, buys nothing any more. */
const isNonceRefused = (reason: string): boolean =>
  /nonce|already[ _]?used|authorization[ _](is[ _])?used/i.test(reason)

/** A refusal is worth a new signature only when time or terms have moved on since the old one. */
function isRenewable({ purchase, resumed }: Begun, challenge: Challenge, nowMs: number): boolean {
  // The wallet owns an earlier version: an earlier run said so, and who runs it again wants the new one.
  if (challenge.error === 'newer_version') return resumed
  if (purchase.validBefore * 1000 <= nowMs || /valid_before|expired/i.test(challenge.error ?? '')) return true
  const choice = chooseTerms(challenge, { asset: purchase.asset, maxPrice: BigInt(purchase.amountMicroUsd) })
  if (choice.is === 'unpayable') return false
  const { amount, payTo } = choice.terms
  return amount !== purchase.amountMicroUsd || payTo.toLowerCase() !== purchase.payTo.toLowerCase()
}
