/**
 * What an answer is to a browser that is made to open it.
 * - `page`: our HTML
 * - `paywall`: HTML of a 402, which submits nothing: its script buys at its own address
 * - `document`: JSON, feeds and text, possibly holding foreign text; readable from any origin
 * - `media`: images and audio, embeddable anywhere
 * - `asset`: our styles, scripts and fonts
 * - `pdf`: a file of the publisher's, which browsers show with a program of their own
 */
export type Surface = 'page' | 'paywall' | 'document' | 'media' | 'asset' | 'pdf'

/** Which surface an answer is, from its status and `Content-Type`. An unknown type is the strictest: a document. */
export function surfaceOf(status: number, contentType: string): Surface {
  if (contentType.startsWith('text/html')) return status === 402 ? 'paywall' : 'page'
  if (contentType === 'application/pdf') return 'pdf'
  if (/^(?:image|audio|video)\//.test(contentType)) return 'media'
  return /^(?:text\/(?:css|javascript)|font\/|application\/wasm)/.test(contentType) ? 'asset' : 'document'
}

const everywhere = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=(), browsing-topics=()',
  'cross-origin-opener-policy': 'same-origin',
  'x-frame-options': 'DENY',
}

/** What pages of other origins may read of an answer, beside what a product adds of its own. */
export const exposedHeaders =
  'PAYMENT-REQUIRED, PAYMENT-RESPONSE, X-Receipt-Id, X-Charged, X-Request-Id, Retry-After, RateLimit, RateLimit-Policy, Content-Length, Content-Range, Accept-Ranges, ETag, Repr-Digest, Link, WWW-Authenticate'

const readableAnywhere = {
  'cross-origin-resource-policy': 'cross-origin',
  'access-control-allow-origin': '*',
  'access-control-expose-headers': exposedHeaders,
}

const closed = "base-uri 'none'; frame-ancestors 'none'; object-src 'none'"

/** Nothing inline, nothing foreign: the build never inlines a script or a style. What was just bought is a blob. */
const pagePolicy = (connect: readonly string[], forms: readonly string[]) =>
  `default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; media-src 'self' blob:; connect-src ${["'self'", ...connect].join(' ')}; manifest-src 'self'; form-action ${["'self'", ...forms].join(' ')}; ${closed}; require-trusted-types-for 'script'`
const paywallPolicy = `default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; media-src 'self' blob:; connect-src 'self'; form-action 'none'; ${closed}; require-trusted-types-for 'script'`
const documentPolicy = "default-src 'none'; frame-ancestors 'none'; sandbox"
const mediaPolicy =
  "default-src 'none'; img-src 'self' data:; media-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox"
/** Browsers hold that program to the policy of the file: in a sandbox Chrome and Safari show nothing (whatwg/html issue 3958). */
const pdfPolicy = "frame-ancestors 'none'"

/** The security headers of every surface, for one installation. */
export type SecurityHeaders = (surface: Surface) => Readonly<Record<string, string>>

/**
 * The table of security headers. Promises that only hold over TLS (HSTS, upgrading links) are made
 * only when the public address is https: on a plain-http machine they would break the site.
 *
 * @example makeSecurityHeaders('https://press.example')('page')
 * @param connect origins that scripts of our pages may talk to beside their own
 * @param forms origins that forms of our pages may be sent to beside their own
 */
export function makeSecurityHeaders(
  baseUrl: string,
  connect: readonly string[] = [],
  forms: readonly string[] = [],
): SecurityHeaders {
  const https = baseUrl.startsWith('https:')
  const all = {
    ...everywhere,
    ...(https && { 'strict-transport-security': 'max-age=63072000; includeSubDomains' }),
  }
  const html = (policy: string) => ({
    ...all,
    'content-security-policy': https ? `${policy}; upgrade-insecure-requests` : policy,
    'cross-origin-resource-policy': 'same-origin',
  })
  const table: Readonly<Record<Surface, Readonly<Record<string, string>>>> = Object.freeze({
    page: Object.freeze(html(pagePolicy(connect, forms))),
    paywall: Object.freeze(html(paywallPolicy)),
    document: Object.freeze({ ...all, ...readableAnywhere, 'content-security-policy': documentPolicy }),
    media: Object.freeze({ ...all, ...readableAnywhere, 'content-security-policy': mediaPolicy }),
    pdf: Object.freeze({ ...all, ...readableAnywhere, 'content-security-policy': pdfPolicy }),
    asset: Object.freeze({ ...all, 'cross-origin-resource-policy': 'same-origin' }),
  })
  return (surface) => table[surface]
}
