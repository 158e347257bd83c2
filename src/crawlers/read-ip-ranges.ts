import { isIP } from 'node:net'
import { isPublicAddress } from '../fetching/public-address.ts'

/** Longer than any operator's list; a longer one is not the list of a crawler. */
const mostPrefixes = 10_000
/**
 * The shortest prefixes accepted for IPv4 and IPv6. No crawler has a larger range, and a site that trusted one would
 * let everybody in.
 */
const widest = { 4: 8, 6: 19 } as const
const cidr = /^([0-9a-f.:]{2,45})(?:\/(\d{1,3}))?$/i

function toPrefix(text: string): string | undefined {
  const [, address = '', length] = cidr.exec(text) ?? []
  const family = isIP(address)
  if ((family !== 4 && family !== 6) || !isPublicAddress(address)) return undefined
  const bits = family === 4 ? 32 : 128
  const size = length === undefined ? bits : Number(length)
  return size < widest[family] || size > bits ? undefined : `${address.toLowerCase()}/${size}`
}

/**
 * The address ranges that an operator publishes, in CIDR notation and in the given order. They are read from JSON of
 * any structure (most use Google's, with `ipv4Prefix` and `ipv6Prefix`) or from text with one range per line. Ranges
 * that are not public are left out, and a list that is too long gives none.
 */
export function readIpRanges(text: string): string[] {
  const quoted = [...text.matchAll(/"([0-9a-f.:]{2,45}(?:\/\d{1,3})?)"/gi)].map(([, value = '']) => value)
  const found = quoted.length > 0 ? quoted : text.split(/\r?\n/).map((line) => line.replace(/#.*/, '').trim())
  const prefixes = new Set(found.flatMap((value) => toPrefix(value) ?? []))
  return prefixes.size > mostPrefixes ? [] : [...prefixes]
}
