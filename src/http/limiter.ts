import type { IncomingMessage, ServerResponse } from 'node:http'
import type { CallerLimits } from './caller-limits.ts'
import type { RateLimits } from './rate-limits.ts'

/** The limit that a request counts against: free requests, prices, or payments that fail. */
export type RequestClass = 'free' | 'quote' | 'payment'

/** Decides whether an address is within its limits, before any work is done for it. */
export interface Limiter {
  /**
   * Counts a request and writes the rest of the limit into the headers of the response.
   *
   * @returns 0, or milliseconds to wait; a promise only where the ledger must be asked
   */
  admit(req: IncomingMessage, res: ServerResponse, requestClass: RequestClass): number | Promise<number>
  /** The limits for MCP tools, where only the body says whether the caller pays. */
  forTools(req: IncomingMessage, res: ServerResponse): CallerLimits
}

interface Options {
  readonly limits: RateLimits
  /** The address of the client: that of the peer, or the one that a trusted proxy names. */
  readonly addressOf: (req: IncomingMessage) => string
  /** Whether the ledger knows the payment of a `PAYMENT-SIGNATURE` header. */
  readonly isKnownPayment: (header: string) => Promise<boolean>
  /** Fetches what other programs have charged to an address, where several programs share limits. */
  readonly hear?: ((address: string) => Promise<void>) | undefined
}

/**
 * Makes a limiter. A payment counts when it fails or when the client leaves before the response. An address whose
 * payments keep failing has to wait, except with a payment that the ledger knows: it may have been charged.
 *
 * @example const limiter = makeLimiter({ limits, addressOf, isKnownPayment }); await limiter.admit(req, res, 'free')
 */
export function makeLimiter({ limits, addressOf, isKnownPayment, hear }: Options): Limiter {
  return {
    admit(req, res, requestClass) {
      const address = addressOf(req)
      if (requestClass === 'payment') {
        // Registered before anything asynchronous, so that a client that leaves meanwhile is counted, too.
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

  /**
   * The number of payments to count as possible failures: all of them if the limit has room for that, else only those
   * that the ledger does not know.
   */
  async function countDoubted(address: string, payments: readonly unknown[]): Promise<number> {
    const { length } = payments
    if (length > 0) await hear?.(address)
    if (!limits.look(address, 'failed-payments', length)?.waitMs) return length
    try {
      const known = await Promise.all(payments.map((payment) => isKnownPayment(toHeader(payment))))
      return known.filter((isKnown) => !isKnown).length
    } catch {
      // If the ledger cannot be read, nothing is limited here: the payment gate reports it.
      return 0
    }
  }

  /**
   * Counts a payment that fails. A client that leaves before the response counts, too, because its payment was verified
   * all the same.
   */
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
      // If the ledger cannot be read, the request passes: an earlier copy of it may have been settled, and the gate
      // reports the failure.
      () => 0,
    )
  }
}

/** The payment of a tool call in the encoding of the HTTP header. */
function toHeader(payment: unknown): string {
  if (typeof payment === 'string') return payment
  try {
    return Buffer.from(JSON.stringify(payment)).toString('base64')
  } catch {
    // The value is nested too deeply to serialize, so it was never a valid payment.
    return ''
  }
}

function tell(res: ServerResponse, headers: object): void {
  for (const [name, value] of Object.entries(headers)) res.setHeader(name, String(value))
}
