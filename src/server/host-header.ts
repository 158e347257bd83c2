const name = /^(?:[a-z0-9](?:[a-z0-9._-]{0,253}[a-z0-9])?\.?|\[[0-9a-f:.]{2,45}\])(?::\d{1,5})?$/i

/**
 * Whether a request carries exactly one well-formed `Host`. Which one is not asked: links are made from the
 * configured address only, so that a lie in it changes nothing.
 */
export function hasValidHost(rawHeaders: readonly string[]): boolean {
  let host: string | undefined
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const header = rawHeaders[index]
    if (header?.length !== 4 || header.toLowerCase() !== 'host') continue
    if (host !== undefined) return false
    host = rawHeaders[index + 1]
  }
  return host !== undefined && name.test(host)
}
