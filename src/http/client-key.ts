import { isIPv6 } from 'node:net'

/**
 * The key that rate limits count a client by: its IPv4 address, or the /64 network of its IPv6 address, because one
 * customer gets a whole /64.
 */
export function toClientKey(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  if (mapped) return mapped
  if (!isIPv6(address)) return address
  const [head = '', tail] = address.split('::')
  const groups = head.split(':').filter(Boolean)
  const missing = tail === undefined ? 0 : 8 - groups.length - tail.split(':').filter(Boolean).length
  const all = [...groups, ...Array.from({ length: missing }, () => '0'), ...(tail ?? '').split(':').filter(Boolean)]
  return all
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')
}

/** Whether an address is a loopback address. */
export const isLoopback = (address: string): boolean => /^(::ffff:)?127\.|^::1$/i.test(address)
