import { canonicalJson } from './canonical-json.ts'
import type { Outcome, PurchaseRequest } from './outcome.ts'
import type { Payment } from './payment.ts'

interface Running {
  fingerprint: string
  identity: string
  buyers: Set<AbortSignal>
  outcome: Promise<Outcome>
}

/** What must be equal for two payments to be the same payment; the signature has many encodings. */
const identityOf = ({ authorization, tokenHash, identifierHash }: Payment): string =>
  canonicalJson({ authorization, tokenHash, identifierHash })

/** Purchases of this process that are under way, so that copies of one request share one purchase and its outcome. */
export function makeInFlight() {
  const running = new Map<string, Running>()
  return {
    /** Runs a purchase, or joins the same one; another request with the same payment is told to wait. */
    run(request: PurchaseRequest, purchase: () => Promise<Outcome>): Promise<Outcome> {
      const { payment, fingerprint, gone } = request
      const identity = identityOf(payment)
      const same = running.get(payment.key)
      if (same) {
        if (same.fingerprint !== fingerprint || same.identity !== identity)
          return Promise.resolve({ is: 'in-progress' })
        same.buyers.add(gone)
        return same.outcome
      }
      const outcome = Promise.resolve()
        .then(purchase)
        .finally(() => running.delete(payment.key))
      running.set(payment.key, { fingerprint, identity, buyers: new Set([gone]), outcome })
      return outcome
    },

    /** Whether every copy's connection is gone: then nobody would get what is about to be charged. */
    isAbandoned(key: string): boolean {
      const buyers = running.get(key)?.buyers
      return buyers !== undefined && [...buyers].every((buyer) => buyer.aborted)
    },

    /** Resolves when no purchase is under way, whether or not its buyer still waits. */
    async idle(): Promise<void> {
      while (running.size > 0) await Promise.allSettled([...running.values()].map(({ outcome }) => outcome))
    },
  }
}
