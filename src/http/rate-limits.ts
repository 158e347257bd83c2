import { isLoopback, toClientKey } from './client-key.ts'
import { type BucketLimits, TokenBucket } from './token-bucket.ts'

/**
 * The limits of one client. Files of the build are not counted: sending one costs less than counting it.
 * - `free`: everything else that is computed and costs the caller nothing
 * - `quotes`: prices that are computed for a request
 * - `failed-payments`: payments whose response was 402 or whose sender left before it, and work that nobody paid for
 */
export const usualLimits = {
  free: { perSecond: 20, burst: 200 },
  quotes: { perSecond: 10, burst: 100 },
  'failed-payments': { perSecond: 1, burst: 30 },
} as const satisfies Record<string, BucketLimits>

export type LimitName = keyof typeof usualLimits

/** The headers that tell a caller how much is left (draft-ietf-httpapi-ratelimit-headers-11). */
interface LimitHeaders {
  readonly ratelimit: string
  readonly 'ratelimit-policy': string
}

export interface Allowance {
  /** 0, or milliseconds until the next request is within the limit. */
  readonly waitMs: number
  readonly headers: LimitHeaders
}

interface Options {
  /** Whether callers on the same machine have no limits. */
  readonly exemptsLoopback: boolean
  readonly now: () => number
  readonly limits?: Readonly<Record<LimitName, BucketLimits>>
  /** The largest number of clients in memory; beyond it the least recently seen are forgotten. */
  readonly maxAddresses?: number
  /** Called for everything that is counted, where several programs count the same clients. */
  readonly onUse?: ((use: Use) => void) | undefined
}

/** How much of a limit a client has used. */
export interface Use {
  readonly client: string
  readonly name: LimitName
  readonly used: number
}

interface Known {
  readonly buckets: Map<LimitName, TokenBucket>
  lastAt: number
}

/**
 * Counts the requests of each client. Clients are forgotten when their buckets must be full again.
 *
 * @example makeRateLimits({ exemptsLoopback: true, now: () => performance.now() }).take('203.0.113.7', 'free')
 */
export function makeRateLimits(options: Options) {
  const { exemptsLoopback, now, limits = usualLimits, maxAddresses = 20_000, onUse } = options
  /** The milliseconds that a bucket takes from its deepest debt to full. */
  const refillMs = 2 * Math.max(...Object.values(limits).map(({ perSecond, burst }) => (burst / perSecond) * 1000))
  /** The clients in the order of their last requests. */
  const clients = new Map<string, Known>()

  function forgetSome(): void {
    for (const [client, { lastAt }] of clients) {
      if (clients.size < maxAddresses && now() - lastAt < refillMs) return
      clients.delete(client)
    }
  }

  function bucketOf(client: string, name: LimitName): TokenBucket {
    const known = clients.get(client) ?? { buckets: new Map(), lastAt: 0 }
    if (!clients.delete(client)) forgetSome()
    known.lastAt = now()
    clients.set(client, known)
    const bucket = known.buckets.get(name) ?? new TokenBucket(limits[name], now)
    known.buckets.set(name, bucket)
    return bucket
  }

  function tell(bucket: TokenBucket, name: LimitName, waitMs: number): Allowance {
    const { perSecond, burst } = limits[name]
    const left = bucket.left()
    const headers = {
      ratelimit: `"${name}";r=${Math.floor(left)};t=${Math.ceil((burst - left) / perSecond)}`,
      'ratelimit-policy': `"${name}";q=${burst};w=${Math.ceil(burst / perSecond)}`,
    }
    return { waitMs, headers }
  }

  const isExempt = (address: string): boolean => exemptsLoopback && isLoopback(address)

  return {
    /**
     * Counts `times` requests at once, or none of them if that is over the limit; undefined for an address without
     * limits.
     */
    take(address: string, name: LimitName, times = 1): Allowance | undefined {
      if (isExempt(address)) return undefined
      const client = toClientKey(address)
      const bucket = bucketOf(client, name)
      const waitMs = bucket.wait(times)
      if (waitMs === 0) {
        bucket.take(times)
        onUse?.({ client, name, used: times })
      }
      return tell(bucket, name, waitMs)
    },
    /** The same as `take` without counting. */
    look(address: string, name: LimitName, times = 1): Allowance | undefined {
      if (isExempt(address)) return undefined
      const bucket = bucketOf(toClientKey(address), name)
      return tell(bucket, name, bucket.wait(times))
    },
    /** Counts a cost that is known only afterwards, whether or not the limit has room for it. */
    charge(address: string, name: LimitName, times: number): void {
      if (isExempt(address)) return
      const client = toClientKey(address)
      bucketOf(client, name).charge(times)
      onUse?.({ client, name, used: times })
    },
    /** The client key of an address; undefined for one without limits. */
    clientOf: (address: string): string | undefined => (isExempt(address) ? undefined : toClientKey(address)),
    /** Sets how much of a limit a client has used, as counted by all programs together. */
    learn: (client: string, name: LimitName, used: number): void => bucketOf(client, name).owe(used),
  }
}

export type RateLimits = ReturnType<typeof makeRateLimits>
