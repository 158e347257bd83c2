import { isIPv6 } from 'node:net'

/**
 * The key that rate limits count a client by: its IPv4 address, or the /64 network of its IPv6 address, because one
 * customer gets a whole /64.
 */
export function toClientKey(address: string): string {
  // The form in which Node.js reports IPv4 clients, so it is the most common one.
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  if (mapped !== undefined) return mapped
  if (!isIPv6(address)) return address
  const numbers = readGroups(address)
  // Other forms of an IPv4 address within an IPv6 one (RFC 4291, 2.5.5.2).
  if (numbers.slice(0, 5).every((number) => number === 0) && numbers[5] === 0xffff)
    return numbers
      .slice(6)
      .flatMap((number) => [number >> 8, number & 0xff])
      .join('.')
  return numbers
    .slice(0, 4)
    .map((number) => number.toString(16))
    .join(':')
}

/** The eight numbers of an IPv6 address, in whichever form it is written. */
function readGroups(address: string): number[] {
  const inHex = address.replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)/, (_, ...bytes: string[]) => {
    const [a = 0, b = 0, c = 0, d = 0] = bytes.map(Number)
    return `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`
  })
  const [head = [], tail] = inHex.split('::').map((part) => part.split(':').filter(Boolean))
  const missing = tail === undefined ? 0 : 8 - head.length - tail.length
  return [...head, ...Array.from({ length: missing }, () => '0'), ...(tail ?? [])].map((group) =>
    Number.parseInt(group, 16),
  )
}

/** Whether an address is a loopback address. */
export const isLoopback = (address: string): boolean => /^(::ffff:)?127\.|^::1$/i.test(address)
