/** The request headers that pages of other origins may send to the site: all that its responses depend on. */
export const siteHeaders =
  'PAYMENT-SIGNATURE, Content-Type, Range, If-Match, If-None-Match, If-Modified-Since, If-Unmodified-Since, If-Range'

/**
 * The headers of a response to OPTIONS: the methods of a path, and what browsers check before a cross-origin request.
 */
export const toPreflightHeaders = (allow: string, crossOriginHeaders: string): Readonly<Record<string, string>> => ({
  allow,
  'access-control-allow-origin': '*',
  'access-control-allow-methods': allow,
  'access-control-allow-headers': crossOriginHeaders,
  'access-control-max-age': '86400',
})
