import type { Witness } from '../chain/chain-oracle.ts'
import { optionOf, toMicroUsd, unitsOf } from '../wire/requirements.ts'
import { challenge, type Outcome, type PurchaseRequest } from './outcome.ts'
import type { PurchaseDeps } from './purchase-deps.ts'
import { toClaim } from './to-claim.ts'

/** The chain is searched this far back for a payment that the ledger does not know. */
const searchedSeconds = 7 * 24 * 60 * 60
/** Counted against an address for a search that finds nothing: so many of the payments it may fail. */
const vainSearchCost = 5

/** What is asked of the chain about a payment that is not to be settled as it came. */
export function makeTurnAway({ ledger, rails, wallet, now, report, countAgainst }: PurchaseDeps) {
  /** What the chain says of a payment, whenever within a week it was sent. */
  const askChain = async ({ payment }: Pick<PurchaseRequest, 'payment'>): Promise<Witness> => {
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
    })
  }

  /** The same of a payment that the ledger does not know and that is turned away. */
  const searchChain = async (request: Sent): Promise<Witness> => {
    const { caller } = request
    const witness = await askChain(request)
    // A nonce that was used long ago is looked for in all the blocks since, and found in none.
    if (witness.is === 'unseen' && caller !== undefined) countAgainst(caller, vainSearchCost)
    return witness
  }

  /** Whether it could have paid us at all. */
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
   * Before a payment is turned away: one that was used already and paid us is never told that nothing was charged. The
   * ledger may have lost it, because it was restored from a backup.
   */
  const turnAway = async (request: PurchaseRequest, reason: string, wasSettling = false): Promise<Outcome> => {
    const { authorization } = request.payment
    const option = optionOf(wallet, request.payment)
    if (!isForUs(request)) return challenge(reason, wasSettling)
    const witness = await searchChain(request)
    switch (witness.is) {
      case 'paid': {
        const paid = BigInt(authorization.value)
        // Whoever may choose the amount must not choose a product for it.
        if (paid < unitsOf(option, request.price)) return { is: 'unmatched' }
        const claim = toClaim(request, wallet)
        // What it is worth is told by what was paid, not by whoever asks: they may have chosen the cheapest there is.
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
        // The facilitator's node knows of a use that ours has not seen yet: whom it paid is open.
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
    /** What the chain says of a payment that the ledger does not know, whatever came with it; undefined where it is not for us. */
    async findSpent(sent: Sent): Promise<Witness | undefined> {
      return isForUs(sent) ? searchChain(sent) : undefined
    },
  }
}

type Sent = Pick<PurchaseRequest, 'payment' | 'caller'>

export type TurnAway = ReturnType<typeof makeTurnAway>
