import { canonicalJson } from '../../core/canonical-json.ts'
import type { Payment } from '../wire/payment.ts'
import type { Outcome, PurchaseRequest } from './outcome.ts'

interface Running {
  fingerprint: string
  identity: string
  /** How many copies of the request still wait for it. */
  buyers: number
  /** Aborted when every copy's connection is gone. */
  left: AbortController
  /** Whether the signature may be on the chain by now, where everybody can read it. */
  isPublic: boolean
  outcome: Promise<Outcome>
}

/** The parts of a payment that are compared here. */
type Named = Pick<Payment, 'key' | 'authorization' | 'tokenHash' | 'identifierHash'>
type Copy = Pick<PurchaseRequest, 'fingerprint' | 'gone'> & { readonly payment: Named }

/** Equal for equal payments. The signature is left out, because it has many encodings. */
const identityOf = ({ authorization, tokenHash, identifierHash }: Named): string =>
  canonicalJson({ authorization, tokenHash, identifierHash })

/**
 * Keeps track of the running purchases of this process, so that copies of a request share one purchase and its outcome.
 */
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
     * Runs a purchase, or joins the running one of the same request. Another request with the same payment is answered
     * `in-progress`; so is a copy without a token once the signature may be public, because anybody who reads the chain
     * could have sent it.
     *
     * @param purchase gets a signal that is aborted when no connection waits for it any more
     */
    run(request: Copy, purchase: (left: AbortSignal) => Promise<Outcome>): Promise<Outcome> {
      const { payment, fingerprint, gone } = request
      const identity = identityOf(payment)
      const same = running.get(payment.key)
      if (same) {
        const isSame = same.fingerprint === fingerprint && same.identity === identity
        if (!isSame || (same.isPublic && payment.tokenHash === null)) return Promise.resolve({ is: 'in-progress' })
        watch(same, gone)
        return same.outcome
      }
      const left = new AbortController()
      const outcome = Promise.resolve()
        .then(() => purchase(left.signal))
        .finally(() => running.delete(payment.key))
      const started = { fingerprint, identity, buyers: 0, left }
      const begun: Running = { ...started, isPublic: false, outcome }
      running.set(payment.key, begun)
      watch(begun, gone)
      return outcome
    },

    /** Notes that the signature of a payment may be on the chain from now on. */
    publish(key: string): void {
      const purchase = running.get(key)
      if (purchase) purchase.isPublic = true
    },

    /** Aborted when no connection waits for this purchase any more; copies that come after that do not undo it. */
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
