import { isLoopback, toClientKey } from '../../src/http/client-key.ts'
import { TokenBucket } from '../../src/http/token-bucket.ts'

const socketsPerAddress = 5
const joinsPerMinute = 10
const openingsPerMinute = 30
/** Enough for all sockets of an address to reconnect twice. A new socket costs more than most messages. */
const openingsAtOnce = 10
/** After this time all token buckets are full again, so an address without sockets can be forgotten. */
const refillMs = 60_000
/** Beyond this many addresses, the one without sockets that was quiet for longest is forgotten. */
const keptAddresses = 10_000
/** How many entries a new address may check for ones to forget. */
const looksPerAddress = 20

interface Known {
  sockets: number
  readonly joins: TokenBucket
  readonly openings: TokenBucket
  lastAt: number
}

interface Options {
  /** Whether clients on the same machine are not limited. */
  readonly exemptsLoopback: boolean
  readonly now: () => number
}

/** Limits the sockets, openings and joins of each client address. */
export function makeAddressLimits({ exemptsLoopback, now }: Options) {
  /** Ordered by last request, except that entries with sockets may come later. */
  const addresses = new Map<string, Known>()
  const perMinute = (times: number, burst = times) => new TokenBucket({ perSecond: times / 60, burst }, now)

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
      openings: perMinute(openingsPerMinute, openingsAtOnce),
      lastAt: 0,
    }
    if (!addresses.delete(key)) forgetSome()
    known.lastAt = now()
    addresses.set(key, known)
    return known
  }

  const isExempt = (address: string): boolean => exemptsLoopback && isLoopback(address)

  /** Milliseconds until the address may join `times` times; 0 when it may now. Counts nothing. */
  const joinWait = (address: string, times: number): number =>
    isExempt(address) || times === 0 ? 0 : get(address).joins.wait(times)

  return {
    /** Counts a socket; false when the address has too many or opened too many lately. After true, call `release`. */
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
    /** Counts joins, all or none of them; returns the same as `joinWait`. */
    join(address: string, times = 1): number {
      const waitMs = joinWait(address, times)
      if (waitMs === 0 && !isExempt(address)) get(address).joins.take(times)
      return waitMs
    },
    joinWait,
  }
}

export type AddressLimits = ReturnType<typeof makeAddressLimits>
