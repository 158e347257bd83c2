import { isLoopback, toHousehold } from '../../../src/server/household.ts'
import { makeTokenBucket, type TokenBucket } from '../../../src/server/token-bucket.ts'

const socketsPerAddress = 5
const joinsPerMinute = 10
/** A connection that breaks is opened again at once; one that does so all the time costs more than it plays. */
const openingsPerMinute = 30
/** Addresses that left are forgotten in bulk, once there are so many. */
const keptAddresses = 10_000

interface Known {
  sockets: number
  readonly joins: TokenBucket
  readonly openings: TokenBucket
  lastAt: number
}

/** Keeps one address from taking everybody's room. */
export interface AddressLimits {
  /** False when the address has its sockets already, or opened too many of late; what was opened must be released. */
  open(address: string): boolean
  release(address: string): void
  /** Milliseconds until the address may join again; 0 for now. */
  join(address: string): number
}

/** `exemptsLoopback`: programs of the same machine may open as many as they like. */
export function makeAddressLimits({
  exemptsLoopback,
  now,
}: {
  exemptsLoopback: boolean
  now: () => number
}): AddressLimits {
  const addresses = new Map<string, Known>()
  const perMinute = (times: number) => makeTokenBucket({ perSecond: times / 60, burst: times }, now)

  function forgetSome(): void {
    if (addresses.size < keptAddresses) return
    for (const [address, { sockets, lastAt }] of addresses)
      if (sockets === 0 && now() - lastAt > 60_000) addresses.delete(address)
  }

  function get(address: string): Known {
    const key = toHousehold(address)
    let known = addresses.get(key)
    if (!known) {
      forgetSome()
      known = { sockets: 0, joins: perMinute(joinsPerMinute), openings: perMinute(openingsPerMinute), lastAt: now() }
      addresses.set(key, known)
    }
    known.lastAt = now()
    return known
  }

  const isExempt = (address: string): boolean => exemptsLoopback && isLoopback(address)

  return {
    open(address) {
      if (isExempt(address)) return true
      const known = get(address)
      if (known.sockets >= socketsPerAddress || known.openings.take() > 0) return false
      known.sockets++
      return true
    },
    release(address) {
      if (!isExempt(address)) get(address).sockets--
    },
    join: (address) => (isExempt(address) ? 0 : get(address).joins.take()),
  }
}
