import { Problem } from '../../core/problem.ts'
import type { WalletCheck } from '../chain/wallet-check.ts'
import { challenge, type Outcome, type PurchaseRequest, refused } from './outcome.ts'
import type { PurchaseDeps } from './purchase-deps.ts'
import type { TurnAway } from './turn-away.ts'

interface Deps extends Pick<PurchaseDeps, 'ledger' | 'report'>, Pick<TurnAway, 'searchChain' | 'turnAway'> {
  wallets: WalletCheck
}

/** Checks whether a payment proves its wallet: a valid signature over a nonce that was never used on the chain. */
export function makeWalletProof({ ledger, report, wallets, searchChain, turnAway }: Deps) {
  const unanswered = (cause: unknown): Outcome => {
    report(cause)
    const detail = 'The chain does not answer, so your wallet could not be checked; nothing was charged'
    return refused(new Problem('facilitator-unavailable', { charged: false, retryAfterSeconds: 5, detail }))
  }

  /** Why a payment does not prove its wallet; undefined when it does. `again`: the payment has a row by now. */
  return async (request: PurchaseRequest): Promise<Outcome | 'again' | undefined> => {
    switch (await wallets.isSigned(request.payment)) {
      case 'no':
        return challenge('invalid_exact_evm_signature')
      case 'unknown':
        return unanswered(new Error('the wallet of a proof could not be asked'))
      case 'yes':
    }
    const witness = await searchChain(request)
    if (witness.is === 'unused') return undefined
    // The transaction that used the nonce may have paid us.
    if (witness.is === 'unseen') return witness.isUsed ? { is: 'pending' } : unanswered(witness.cause)
    if (await ledger.find(request.payment.key)) return 'again'
    return turnAway(request, 'invalid_exact_evm_nonce_already_used')
  }
}

export type RefuseProof = ReturnType<typeof makeWalletProof>
