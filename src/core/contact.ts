/** How a publisher is reached: by e-mail, or at a page, here or elsewhere. */
type Contact = { readonly is: 'email'; readonly email: string } | { readonly is: 'page'; readonly page: string }

/**
 * Reads the `contact` of `site.config.ts`; undefined where none is named. An `@` alone makes no e-mail address: profiles
 * have one in theirs.
 *
 * @example readContact('https://social.example/@press') // { is: 'page', page: 'https://social.example/@press' }
 */
export function readContact(contact: string): Contact | undefined {
  if (contact === '') return undefined
  const email = /^(?:mailto:)?([^\s@/:]+@[^\s@/:]+)$/i.exec(contact)?.[1]
  return email === undefined ? { is: 'page', page: contact } : { is: 'email', email }
}
