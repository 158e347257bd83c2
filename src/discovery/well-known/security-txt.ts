import { readContact } from '../../core/contact.ts'

/** RFC 9116, 2.5.5, recommends less than a year. A site that is neither built nor changed meanwhile serves it that long. */
const validMs = 364 * 24 * 60 * 60 * 1000

interface Publisher {
  /** An e-mail address or a page; empty when the publisher named none. */
  readonly contact: string
  readonly language: string
  /** The address of the site, against which a page is resolved. */
  readonly baseUrl: string
  /** The origin that serves this file; the site when absent. */
  readonly origin?: string
  /** When it is written; it expires 364 days later. */
  readonly at: Date
}

/**
 * `/.well-known/security.txt` (RFC 9116). Without a contact in `site.config.ts` it names the page `/about`, which
 * always exists.
 */
export function toSecurityTxt({ contact, language, baseUrl, origin = baseUrl, at }: Publisher): string {
  const named = readContact(contact) ?? { is: 'page', page: '/about' }
  const address = named.is === 'email' ? `mailto:${named.email}` : new URL(named.page, baseUrl).href
  return [
    `Contact: ${address}`,
    `Expires: ${new Date(at.getTime() + validMs).toISOString()}`,
    `Preferred-Languages: ${language}`,
    `Canonical: ${origin}/.well-known/security.txt`,
    '',
  ].join('\n')
}
