import { z } from 'zod'

const maxLength = 2048
const specialNames = ['localhost', 'local', 'internal', 'home.arpa']
const label = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/

/** Why an address is never fetched; each text follows the name of a field. */
export const urlRefusals = {
  scheme: 'must start with https://',
  length: `must be at most ${maxLength} characters long`,
  characters: 'must not contain spaces, control characters or backslashes',
  unreadable: 'must be a complete URL like https://example.com/page',
  credentials: 'must not carry a user name or password',
  port: 'must not name a port other than 443',
  address: 'must name a host by its DNS name, not by an IP address',
  name: 'must have a DNS name of two or more labels as its host',
  special: 'must not name a local or internal host',
} as const

/** The name of a rule about addresses we fetch. */
export type UrlRefusal = keyof typeof urlRefusals

/**
 * The first rule that an address breaks, or undefined when it may be looked up.
 * Decided from the text alone, in its canonical form: `https://0x7f.1/` is an IP address here.
 * The addresses that the name resolves to are checked again when they are connected to.
 */
export function findUrlRefusal(text: string): UrlRefusal | undefined {
  if (!/^https:\/\//i.test(text)) return 'scheme'
  if (text.length > maxLength) return 'length'
  if (/[\s\\\p{Cc}\p{Cs}]/u.test(text)) return 'characters'
  const [, authority = ''] = /^.{8}([^/?#]*)/.exec(text) ?? []
  if (authority === '') return 'unreadable'
  if (authority.includes('@')) return 'credentials'
  if (authority.startsWith('[')) return 'address'
  if (!URL.canParse(text)) return /^[\d.]+(?::\d*)?$/.test(authority) ? 'address' : 'unreadable'
  const { hostname, port } = new URL(text)
  if (port !== '') return 'port'
  return findNameRefusal(hostname)
}

function findNameRefusal(hostname: string): UrlRefusal | undefined {
  if (/^\d+(?:\.\d+){3}\.?$/.test(hostname)) return 'address'
  const labels = hostname.replace(/\.$/, '').split('.')
  if (specialNames.some((name) => `.${labels.join('.')}`.endsWith(`.${name}`))) return 'special'
  if (hostname.endsWith('.') || hostname.length > 253 || labels.length < 2) return 'name'
  return labels.every((part) => label.test(part)) ? undefined : 'name'
}

/** An address on the open web: https, port 443, a public-looking DNS name; kept exactly as it was sent. */
export const PublicHttpsUrl = z
  .string()
  .superRefine((text, context) => {
    const refusal = findUrlRefusal(text)
    if (refusal) context.addIssue({ code: 'custom', message: urlRefusals[refusal] })
  })
  .meta({ format: 'uri', pattern: '^[Hh][Tt][Tt][Pp][Ss]://', maxLength })
