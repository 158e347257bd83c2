import { isLoopback, toClientKey } from '../../src/http/client-key.ts'
import { makeTokenBucket, type TokenBucket } from '../../src/http/token-bucket.ts'

const socketsPerAddress = 5
const joinsPerMinute = 10
/** A connection that breaks is opened again at once; one that does so all the time costs more than it plays. */
const openingsPerMinute = 30
/** After this long every allowance is whole again, and there is nothing to remember. */
const refillMs = 60_000
/** Beyond this many, whoever was quiet for longest and has no socket is forgotten. */
const keptAddresses = 10_000
/** What a new address may cost in looking for those to forget. */
const looksPerAddress = 20

interface Known {
  sockets: number
  readonly joins: TokenBucket
  readonly openings: TokenBucket
  lastAt: number
}

interface Options {
  /** Programs of the same machine may open as many as they like. */
  readonly exemptsLoopback: boolean
  readonly now: () => number
}

/** Keeps one address from taking everybody's room. */
export function makeAddressLimits({ exemptsLoopback, now }: Options) {
  /** In the order of their last requests, as far as they have no sockets. */
  const addresses = new Map<string, Known>()
  const perMinute = (times: number) => makeTokenBucket({ perSecond: times / 60, burst: times }, now)

  function forgetSome(): void {
    let looks = 0
    for (const [address, known] of addresses) {
      if (addresses.size < keptAddresses && now() - known.lastAt < refillMs) return
      if (++looks > looksPerAddress) return
      addresses.delete(address)
      if (known.sockets > 0) addresses.set(address, known)
    }
  }

  function get(address: string): Known {
    const key = toClientKey(address)
    const known = addresses.get(key) ?? {
      sockets: 0,
      joins: perMinute(joinsPerMinute),
      openings: perMinute(openingsPerMinute),
      lastAt: 0,
    }
    if (!addresses.delete(key)) forgetSome()
    known.lastAt = now()
    addresses.set(key, known)
    return known
  }

  const isExempt = (address: string): boolean => exemptsLoopback && isLoopback(address)

  /** Milliseconds until the address may join so often, 0 for now; counts nothing. */
  const joinWait = (address: string, times: number): number =>
    isExempt(address) || times === 0 ? 0 : get(address).joins.wait(times)

  return {
    /** False when the address has its sockets already, or opened too many of late; what was opened must be released. */
    open(address: string): boolean {
      if (isExempt(address)) return true
      const known = get(address)
      if (known.sockets >= socketsPerAddress || known.openings.take() > 0) return false
      known.sockets++
      return true
    },
    release(address: string): void {
      if (!isExempt(address)) get(address).sockets--
    },
    /** Counts joins, all at once or none of them; milliseconds as of `joinWait`. */
    join(address: string, times = 1): number {
      const waitMs = joinWait(address, times)
      if (waitMs === 0 && !isExempt(address)) get(address).joins.take(times)
      return waitMs
    },
    joinWait,
  }
}

export type AddressLimits = ReturnType<typeof makeAddressLimits>
