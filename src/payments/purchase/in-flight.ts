import { canonicalJson } from '../../core/canonical-json.ts'
import type { Payment } from '../wire/payment.ts'
import type { Outcome, PurchaseRequest } from './outcome.ts'

interface Running {
  fingerprint: string
  identity: string
  /** How many copies still wait for it: of one that somebody sent many times over, all may go at once. */
  buyers: number
  /** Aborted when every copy's connection is gone. */
  left: AbortController
  /** Whether the signature may be on the chain by now, where everybody can read it. */
  isPublic: boolean
  outcome: Promise<Outcome>
}

/** What is looked at of a payment here. */
type Named = Pick<Payment, 'key' | 'authorization' | 'tokenHash' | 'identifierHash'>
type Copy = Pick<PurchaseRequest, 'fingerprint' | 'gone'> & { readonly payment: Named }

/** What must be equal for two payments to be the same payment; the signature has many encodings. */
const identityOf = ({ authorization, tokenHash, identifierHash }: Named): string =>
  canonicalJson({ authorization, tokenHash, identifierHash })

/** Purchases of this process that are under way, so that copies of one request share one purchase and its outcome. */
export function makeInFlight() {
  const running = new Map<string, Running>()

  const watch = (purchase: Running, buyer: AbortSignal): void => {
    const leave = () => {
      purchase.buyers--
      if (purchase.buyers === 0) purchase.left.abort(new Error('the buyer left'))
    }
    purchase.buyers++
    if (buyer.aborted) leave()
    else buyer.addEventListener('abort', leave, { once: true })
  }

  return {
    /**
     * Runs a purchase, or joins the same one; another request with the same payment is told to wait. So is a copy
     * without a token once the signature may be public: it could come from anybody who reads the chain.
     */
    run(request: Copy, purchase: () => Promise<Outcome>): Promise<Outcome> {
      const { payment, fingerprint, gone } = request
      const identity = identityOf(payment)
      const same = running.get(payment.key)
      if (same) {
        const isSame = same.fingerprint === fingerprint && same.identity === identity
        if (!isSame || (same.isPublic && payment.tokenHash === null)) return Promise.resolve({ is: 'in-progress' })
        watch(same, gone)
        return same.outcome
      }
      const outcome = Promise.resolve()
        .then(purchase)
        .finally(() => running.delete(payment.key))
      const started = { fingerprint, identity, buyers: 0, left: new AbortController() }
      const begun: Running = { ...started, isPublic: false, outcome }
      running.set(payment.key, begun)
      watch(begun, gone)
      return outcome
    },

    /** From now on the signature may be on the chain. */
    publish(key: string): void {
      const purchase = running.get(key)
      if (purchase) purchase.isPublic = true
    },

    /** Aborted when nobody waits for this purchase any more; a copy that came later changes nothing. */
    left(key: string): AbortSignal {
      return running.get(key)?.left.signal ?? AbortSignal.abort()
    },

    /** How many purchases are under way. */
    count: (): number => running.size,

    /** Resolves when no purchase is under way, whether or not its buyer still waits. */
    async idle(): Promise<void> {
      while (running.size > 0) await Promise.allSettled([...running.values()].map(({ outcome }) => outcome))
    },
  }
}

export type InFlight = ReturnType<typeof makeInFlight>
