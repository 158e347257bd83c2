import type { IncomingMessage, ServerResponse } from 'node:http'
import type { CallerLimits } from './caller-limits.ts'
import type { RateLimits } from './rate-limits.ts'

/** Which limit a request counts against: that of what is free, of prices, or of payments that fail. */
export type RequestClass = 'free' | 'quote' | 'payment'

/** Decides whether an address is within its limits, before anything is done for it. */
export interface Limiter {
  /**
   * Counts a request and writes what is left into the headers of its answer.
   *
   * @returns 0, or milliseconds to wait; a promise only where the ledger must be asked
   */
  admit(req: IncomingMessage, res: ServerResponse, requestClass: RequestClass): number | Promise<number>
  /** The same for the tools, where the body says whether somebody pays. */
  forTools(req: IncomingMessage, res: ServerResponse): CallerLimits
}

interface Options {
  readonly limits: RateLimits
  /** The client's: the peer's, or what a trusted proxy names. */
  readonly addressOf: (req: IncomingMessage) => string
  /** Whether the ledger knows the payment of a `PAYMENT-SIGNATURE` header. */
  readonly isKnownPayment: (header: string) => Promise<boolean>
  /** Learns first what an address was charged by other programs, where there are any. */
  readonly hear?: ((address: string) => Promise<void>) | undefined
}

/**
 * Payments are counted when they fail, or when nobody waits for the answer. An address whose payments keep failing has
 * to wait, except with one that the ledger knows: who may have paid is always heard.
 *
 * @example const limiter = makeLimiter({ limits, addressOf, isKnownPayment }); await limiter.admit(req, res, 'free')
 */
export function makeLimiter({ limits, addressOf, isKnownPayment, hear }: Options): Limiter {
  return {
    admit(req, res, requestClass) {
      const address = addressOf(req)
      if (requestClass === 'payment') {
        // Before anything is waited for: who has left by then is counted as well.
        countFailure(res, address)
        return hear ? hear(address).then(() => admitPayment(req, res, address)) : admitPayment(req, res, address)
      }
      const allowance = limits.take(address, requestClass === 'free' ? 'free' : 'quotes')
      if (!allowance) return 0
      tell(res, allowance.headers)
      return allowance.waitMs
    },
    forTools(req, res) {
      const address = addressOf(req)
      return {
        async take({ free, quotes, payments }) {
          const doubted = await countDoubted(address, payments)
          const asked = [
            { name: 'free', times: free },
            { name: 'quotes', times: quotes },
          ] as const
          const looks = asked.map(({ name, times }) => limits.look(address, name, times))
          looks.push(limits.look(address, 'failed-payments', doubted))
          const refusal = looks.find((allowance) => allowance !== undefined && allowance.waitMs > 0)
          if (refusal) tell(res, refusal.headers)
          else
            for (const { name, times } of asked) {
              const allowance = times > 0 ? limits.take(address, name, times) : undefined
              if (allowance) tell(res, allowance.headers)
            }
          return refusal?.waitMs ?? 0
        },
        chargeFailure: () => limits.charge(address, 'failed-payments', 1),
        caller: address,
      }
    },
  }

  /** How many of them may fail: where that is more than the limit has room for, those that the ledger does not know. */
  async function countDoubted(address: string, payments: readonly unknown[]): Promise<number> {
    const { length } = payments
    if (length > 0) await hear?.(address)
    if (!limits.look(address, 'failed-payments', length)?.waitMs) return length
    try {
      const known = await Promise.all(payments.map((payment) => isKnownPayment(toHeader(payment))))
      return known.filter((isKnown) => !isKnown).length
    } catch {
      // The ledger cannot be read, and the gate says so.
      return 0
    }
  }

  /** Who leaves before there is an answer would never be counted, and has a payment verified all the same. */
  function countFailure(res: ServerResponse, address: string): void {
    res.once('close', () => {
      if (res.statusCode === 402 || !res.headersSent) limits.charge(address, 'failed-payments', 1)
    })
  }

  function admitPayment(req: IncomingMessage, res: ServerResponse, address: string): number | Promise<number> {
    const allowance = limits.look(address, 'failed-payments')
    if (!allowance) return 0
    const { waitMs, headers } = allowance
    if (waitMs === 0) return 0
    return isKnownPayment(String(req.headers['payment-signature'])).then(
      (isKnown) => {
        if (isKnown) return 0
        tell(res, headers)
        return waitMs
      },
      // The ledger cannot be read: an earlier copy of this request may have been settled, and the gate says so.
      () => 0,
    )
  }
}

/** The payment of a tool call as HTTP carries it. */
function toHeader(payment: unknown): string {
  if (typeof payment === 'string') return payment
  try {
    return Buffer.from(JSON.stringify(payment)).toString('base64')
  } catch {
    // Nested deeper than the stack: nothing that was ever paid.
    return ''
  }
}

function tell(res: ServerResponse, headers: object): void {
  for (const [name, value] of Object.entries(headers)) res.setHeader(name, String(value))
}
