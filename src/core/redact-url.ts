/** A part of a path that names something rather than being a key: short, or words of small letters. */
const plain = /^(?:[\w.~-]{0,8}|(?=[a-z-]{1,16}$)[a-z]+(?:-[a-z]+)*)$/
/** A part of a host that is long and random enough to be a key. */
const keyLike = /^(?=.*\d)[a-z0-9-]{20,}$/

/**
 * An address as it may be printed: whoever runs it and where, without what may be a key. User info, the query and the
 * fragment are left out; parts of the path and of the host that could be keys become `…`.
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

/** A text in which each web address is as it may be printed. */
export const redactUrls = (text: string): string =>
  text.replace(/\b(?:https?|wss?):\/\/[^\s"'<>`()[\]{}\\]+/gi, (address) => {
    // From the end: an expression would begin at each mark of an address that a stranger filled with them.
    let end = address.length
    while (end > 0 && '.,;:!?'.includes(address.charAt(end - 1))) end -= 1
    return redactUrl(address.slice(0, end)) + address.slice(end)
  })

/** An address as everybody may read it and still use it as one: where a part of it may be a key, its origin alone. */
export const toPublicUrl = (address: string): string =>
  redactUrl(address).includes('…') ? new URL(address).origin : address
