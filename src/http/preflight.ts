/** What pages of other origins may send to the site's documents. */
export const siteHeaders = 'PAYMENT-SIGNATURE, Content-Type, Range, If-None-Match, If-Range'

/** The answer to OPTIONS: the methods of a path, and what a browser asks before it lets a page of another origin in. */
export const toPreflightHeaders = (allow: string, crossOriginHeaders: string): Readonly<Record<string, string>> => ({
  allow,
  'access-control-allow-origin': '*',
  'access-control-allow-methods': allow,
  'access-control-allow-headers': crossOriginHeaders,
  'access-control-max-age': '86400',
})
