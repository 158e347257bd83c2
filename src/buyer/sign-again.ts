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
 * Signs a new payment in place of one that a 402 declines, where this cannot become a second payment: under the same
 * nonce; or under a new one if the old nonce is useless or in another token, all signatures under it have expired, and
 * the limit covers both.
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
  // Nonces belong to a token: another token would accept the same nonce again.
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
  // Nonces belong to a payer: with another wallet the same number excludes nothing.
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

/** The outcome of a purchase whose payment was declined; its signatures stay recorded. */
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

/** Whether the nonce cannot buy anything any more, because it was used or the shop knows it from another payment. */
const isNonceRefused = (reason: string): boolean =>
  /nonce|already[ _]?used|authorization[ _](is[ _])?used/i.test(reason)

/** Whether a refusal deserves a new signature: only when time has passed or terms have changed since the old one. */
function isRenewable({ purchase, resumed }: Begun, challenge: Challenge, nowMs: number): boolean {
  // The wallet owns an earlier version. An earlier run said so, and a user who repeats the command wants the new one.
  if (challenge.error === 'newer_version') return resumed
  if (purchase.validBefore * 1000 <= nowMs || /valid_before|expired/i.test(challenge.error ?? '')) return true
  const choice = chooseTerms(challenge, { asset: purchase.asset, maxPrice: BigInt(purchase.amountMicroUsd) })
  if (choice.is === 'unpayable') return false
  const { amount, payTo } = choice.terms
  return amount !== purchase.amountMicroUsd || payTo.toLowerCase() !== purchase.payTo.toLowerCase()
}
