import { isIP } from 'node:net'
import { isPublicAddress } from '../fetching/public-address.ts'

/** Longer than any operator's; a list that is longer is no list of a crawler. */
const mostPrefixes = 10_000
/** Of IPv4 and IPv6: nobody crawls from more than this, and who believed it would let everybody in. */
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
 * The address ranges that an operator publishes, as CIDR in its order, from JSON of any shape (most use Google's, with
 * `ipv4Prefix` and `ipv6Prefix`) or a text with one to a line. What is no public range is left out.
 */
export function readIpRanges(text: string): string[] {
  const quoted = [...text.matchAll(/"([0-9a-f.:]{2,45}(?:\/\d{1,3})?)"/gi)].map(([, value = '']) => value)
  const found = quoted.length > 0 ? quoted : text.split(/\r?\n/).map((line) => line.replace(/#.*/, '').trim())
  const prefixes = new Set(found.flatMap((value) => toPrefix(value) ?? []))
  return prefixes.size > mostPrefixes ? [] : [...prefixes]
}
