import { readContact } from '../../core/contact.ts'

const halfYearMs = 182 * 24 * 60 * 60 * 1000

interface Publisher {
  /** Empty when the publisher named none. */
  readonly contact: string
  readonly language: string
  /** Of the site, where pages are. */
  readonly baseUrl: string
  /** Where this file is; the site when absent. */
  readonly origin?: string
  /** When it was written: it is good for half a year from then. */
  readonly at: Date
}

/**
 * `/.well-known/security.txt` (RFC 9116). Without a contact in `site.config.ts` it names the page that says who makes
 * the site, which is always there.
 */
export function toSecurityTxt({ contact, language, baseUrl, origin = baseUrl, at }: Publisher): string {
  const named = readContact(contact) ?? { is: 'page', page: '/about' }
  const address = named.is === 'email' ? `mailto:${named.email}` : new URL(named.page, baseUrl).href
  return [
    `Contact: ${address}`,
    `Expires: ${new Date(at.getTime() + halfYearMs).toISOString()}`,
    `Preferred-Languages: ${language}`,
    `Canonical: ${origin}/.well-known/security.txt`,
    '',
  ].join('\n')
}
