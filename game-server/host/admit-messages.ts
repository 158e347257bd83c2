import type { RateLimits } from '../../src/http/rate-limits.ts'
import type { AddressLimits } from '../sockets/address-limits.ts'

/**
 * Counts a batch for the tools as the messages that it has, joins also as joins; all of them, or none when a part is
 * beyond its limit. The request that brought them was counted as one when it came.
 *
 * @returns milliseconds until the address may ask for so much; 0 for now
 */
export const makeAdmitMessages =
  ({ limits, addresses }: { limits: RateLimits; addresses: Pick<AddressLimits, 'join' | 'joinWait'> }) =>
  (address: string, { messages, joins }: { messages: number; joins: number }): number => {
    const more = messages - 1
    const freeMs = more > 0 ? (limits.look(address, 'free', more)?.waitMs ?? 0) : 0
    const waitMs = Math.max(freeMs, addresses.joinWait(address, joins))
    if (waitMs > 0) return waitMs
    if (more > 0) limits.take(address, 'free', more)
    if (joins > 0) addresses.join(address, joins)
    return 0
  }
