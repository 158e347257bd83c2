const halfYearMs = 182 * 24 * 60 * 60 * 1000

interface Publisher {
  readonly contact: string
  readonly language: string
  readonly baseUrl: string
  readonly builtAt: Date
}

/** `/.well-known/security.txt` (RFC 9116); undefined without a contact, because a file without one is not valid. */
export function toSecurityTxt({ contact, language, baseUrl, builtAt }: Publisher): string | undefined {
  if (contact === '') return undefined
  const address = contact.includes('@') && !/^\w+:/.test(contact) ? `mailto:${contact}` : new URL(contact, baseUrl).href
  return [
    `Contact: ${address}`,
    `Expires: ${new Date(builtAt.getTime() + halfYearMs).toISOString()}`,
    `Preferred-Languages: ${language}`,
    `Canonical: ${baseUrl}/.well-known/security.txt`,
    '',
  ].join('\n')
}
