import { isIPv6 } from 'node:net'

/** Whom a limit holds for: a household has one IPv4 address, or 2^64 addresses of IPv6. */
export function toHousehold(address: string): string {
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

/** Whether a program of this machine asks. */
export const isLoopback = (address: string): boolean => /^(::ffff:)?127\.|^::1$/i.test(address)
