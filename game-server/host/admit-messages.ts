import type { RateLimits } from '../../src/http/rate-limits.ts'
import type { AddressLimits } from '../sockets/address-limits.ts'

/**
 * Counts a batch of MCP messages against the limits of an address: each message as a request, and each join also as a
 * join; nothing is counted when a part exceeds its limit. The HTTP request itself was counted as the first message.
 *
 * @returns 0 when the batch is admitted, else the milliseconds until it can be
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
