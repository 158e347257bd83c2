/** Whether an address on the web, or one that is read from a site's, leads to another site. */
export function isElsewhere(address: string, baseUrl: string): boolean {
  const url = URL.parse(address, baseUrl)
  return url !== null && /^https?:$/.test(url.protocol) && url.origin !== new URL(baseUrl).origin
}
