/** Whether an address, absolute or relative to this site, is an http(s) URL of another origin. */
export function isElsewhere(address: string, baseUrl: string): boolean {
  const url = URL.parse(address, baseUrl)
  return url !== null && /^https?:$/.test(url.protocol) && url.origin !== new URL(baseUrl).origin
}
