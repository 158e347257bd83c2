/** How to reach the publisher: by e-mail, or at a page of this site or another. */
type Contact = { readonly is: 'email'; readonly email: string } | { readonly is: 'page'; readonly page: string }

/**
 * Reads the `contact` of `site.config.ts`; undefined where it is empty. An `@` alone does not make it an e-mail
 * address, because addresses of profiles contain one, too.
 *
 * @example readContact('https://social.example/@press') // { is: 'page', page: 'https://social.example/@press' }
 */
export function readContact(contact: string): Contact | undefined {
  if (contact === '') return undefined
  const email = /^(?:mailto:)?([^\s@/:]+@[^\s@/:]+)$/i.exec(contact)?.[1]
  return email === undefined ? { is: 'page', page: contact } : { is: 'email', email }
}
