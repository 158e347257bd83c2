/** A path segment that is a name rather than a key: at most 8 characters, or lower-case words of at most 16. */
const plain = /^(?:[\w.~-]{0,8}|(?=[a-z-]{1,16}$)[a-z]+(?:-[a-z]+)*)$/
/** A host label that is long and random enough to be a key. */
const keyLike = /^(?=.*\d)[a-z0-9-]{20,}$/

/**
 * A URL without what may be a key, so that it can be printed: it still shows the provider. User info, query and
 * fragment are replaced; segments of the path and labels of the host that could be keys become `…`.
 *
 * @example redactUrl('https://base.example/v2/0f3b9c…') // https://base.example/v2/…
 */
export function redactUrl(address: string): string {
  if (!URL.canParse(address)) return '…'
  const { protocol, hostname, port, pathname, username, password, search, hash } = new URL(address)
  const host = hostname
    .split('.')
    .map((label) => (keyLike.test(label) ? '…' : label))
    .join('.')
  const path = pathname
    .split('/')
    .map((part) => (plain.test(part) ? part : '…'))
    .join('/')
  const user = username + password === '' ? '' : '…@'
  const rest = search + hash === '' ? '' : '?…'
  return `${protocol}//${user}${host}${port === '' ? '' : `:${port}`}${path === '/' ? '' : path}${rest}`
}

/** Redacts every web address in a text. */
export const redactUrls = (text: string): string =>
  text.replace(/\b(?:https?|wss?):\/\/[^\s"'<>`()[\]{}\\]+/gi, (address) => {
    // A loop from the end: a regular expression for trailing punctuation would take quadratic time on an address that a
    // stranger filled with it.
    let end = address.length
    while (end > 0 && '.,;:!?'.includes(address.charAt(end - 1))) end -= 1
    return redactUrl(address.slice(0, end)) + address.slice(end)
  })

/** A URL that everybody may read and that still works as a URL: where a part of it may be a key, only its origin. */
export const toPublicUrl = (address: string): string =>
  redactUrl(address).includes('…') ? new URL(address).origin : address
