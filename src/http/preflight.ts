/** What pages of other origins may send to the site's documents: all that an answer of theirs depends on. */
export const siteHeaders =
  'PAYMENT-SIGNATURE, Content-Type, Range, If-Match, If-None-Match, If-Modified-Since, If-Unmodified-Since, If-Range'

/** The answer to OPTIONS: the methods of a path, and what a browser asks before it lets a page of another origin in. */
export const toPreflightHeaders = (allow: string, crossOriginHeaders: string): Readonly<Record<string, string>> => ({
  allow,
  'access-control-allow-origin': '*',
  'access-control-allow-methods': allow,
  'access-control-allow-headers': crossOriginHeaders,
  'access-control-max-age': '86400',
})
