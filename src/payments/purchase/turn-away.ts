import type { Witness } from '../chain/witness.ts'
import { optionOf, toMicroUsd, unitsOf } from '../wire/requirements.ts'
import { challenge, type Outcome, type PurchaseRequest } from './outcome.ts'
import type { PurchaseDeps } from './purchase-deps.ts'
import { toClaim } from './to-claim.ts'

/** How far back the chain is searched for a payment that the ledger does not have, in seconds. */
const searchedSeconds = 7 * 24 * 60 * 60
/** What a search without a result counts against an address, in failed payments of its rate limit. */
const vainSearchCost = 5

/**
 * Looks up on the chain a payment that is refused or is not in the ledger, before its buyer is told that it is unpaid.
 */
export function makeTurnAway({ ledger, rails, wallet, now, report, countAgainst }: PurchaseDeps) {
  /**
   * What the chain shows of a payment that may have been sent at any time in the last week.
   *
   * @param maxAgeMs how old the block of an `unused` may be, in milliseconds
   */
  const askChain = async ({ payment }: Pick<PurchaseRequest, 'payment'>, maxAgeMs = 0): Promise<Witness> => {
    const { payer, authorization } = payment
    const rail = rails.find(payment.accepted.network)
    if (!rail) return { is: 'unseen', cause: `nothing is taken on the network of ${payment.key}` }
    return rail.oracle.witness({
      asset: payment.accepted.asset,
      payTo: wallet.payTo,
      payer,
      amount: BigInt(authorization.value),
      nonce: authorization.nonce,
      validBefore: BigInt(authorization.validBefore),
      fromBlock: null,
      sinceSeconds: Math.floor(now() / 1000) - searchedSeconds,
      maxAgeMs,
    })
  }

  /** The same for a payment that is not about to be settled; a vain search counts against the address of its sender. */
  const searchChain = async (request: Sent): Promise<Witness> => {
    const { caller } = request
    const witness = await askChain(request)
    // For a nonce that was used before the searched time, all blocks are searched and nothing is found.
    if (witness.is === 'unseen' && caller !== undefined) countAgainst(caller, vainSearchCost)
    return witness
  }

  /** Whether a payment names our address and one of our tokens, so that it could have paid us. */
  const isForUs = ({ payment }: Sent): boolean => {
    const { authorization, accepted } = payment
    const option = optionOf(wallet, payment)
    return (
      authorization.to === wallet.payTo.toLowerCase() &&
      accepted.asset.toLowerCase() === option.asset.toLowerCase() &&
      accepted.network === option.network
    )
  }

  /**
   * Refuses a payment, but first asks the chain whether it paid us: a buyer who paid must not be told that nothing was
   * charged. The ledger may have lost the payment, because it was restored from a backup; then it is written back.
   */
  const turnAway = async (request: PurchaseRequest, reason: string, wasSettling = false): Promise<Outcome> => {
    const { authorization } = request.payment
    const option = optionOf(wallet, request.payment)
    if (!isForUs(request)) return challenge(reason, wasSettling)
    const witness = await searchChain(request)
    switch (witness.is) {
      case 'paid': {
        const paid = BigInt(authorization.value)
        // The wallet chose the amount, so a product that costs more must not be given for it.
        if (paid < unitsOf(option, request.price)) return { is: 'unmatched' }
        const claim = toClaim(request, wallet)
        // Recorded with the amount that was paid, and not with the price of this request, which may be for the cheapest
        // product.
        const worth = {
          amount: toMicroUsd(option, paid).toString(),
          ...(option.perUsd !== null && { units: `${paid}` }),
        }
        await ledger.recoverSale({ ...claim, ...worth }, witness)
        await ledger.noteAsked(claim.key)
        return { is: 'unproven' }
      }
      case 'unseen':
        report(witness.cause)
        return { is: 'pending' }
      case 'unused':
        // The facilitator's node may know of a use that ours has not seen yet, so it may have paid us.
        return /nonce/.test(reason) ? { is: 'pending' } : challenge(reason, wasSettling)
      case 'void':
      case 'expired':
        return challenge(reason, wasSettling)
    }
  }

  return {
    askChain,
    searchChain,
    turnAway,
    /** What the chain shows of a payment that the ledger does not have; undefined where it could not have paid us. */
    async findSpent(sent: Sent): Promise<Witness | undefined> {
      return isForUs(sent) ? searchChain(sent) : undefined
    },
  }
}

type Sent = Pick<PurchaseRequest, 'payment' | 'caller'>

export type TurnAway = ReturnType<typeof makeTurnAway>
