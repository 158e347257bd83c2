/**
 * What a response is to a browser that opens it.
 * - `page`: our HTML
 * - `paywall`: HTML of a 402, which submits no forms: its script buys at the same address
 * - `document`: JSON, feeds and text, possibly with text of strangers; readable from any origin
 * - `media`: images and audio, embeddable anywhere
 * - `asset`: our styles, scripts and fonts
 * - `pdf`: a file of the publisher, which browsers show with a built-in viewer
 */
export type Surface = 'page' | 'paywall' | 'document' | 'media' | 'asset' | 'pdf'

/** The surface of a response by its status and `Content-Type`. Unknown types get the strictest one: `document`. */
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

/** The response headers that pages of other origins may read; products may add their own. */
export const exposedHeaders =
  'PAYMENT-REQUIRED, PAYMENT-RESPONSE, X-Receipt-Id, X-Charged, X-Request-Id, Retry-After, RateLimit, RateLimit-Policy, Content-Length, Content-Range, Accept-Ranges, ETag, Repr-Digest, Link, WWW-Authenticate'

const readableAnywhere = {
  'cross-origin-resource-policy': 'cross-origin',
  'access-control-allow-origin': '*',
  'access-control-expose-headers': exposedHeaders,
}

const closed = "base-uri 'none'; frame-ancestors 'none'; object-src 'none'"

/** No inline and no foreign code: the build never inlines a script or style. Files just bought are shown from blobs. */
const pagePolicy = (connect: readonly string[], forms: readonly string[]) =>
  `default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; media-src 'self' blob:; connect-src ${["'self'", ...connect].join(' ')}; manifest-src 'self'; form-action ${["'self'", ...forms].join(' ')}; ${closed}; require-trusted-types-for 'script'`
const paywallPolicy = `default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; media-src 'self' blob:; connect-src 'self'; form-action 'none'; ${closed}; require-trusted-types-for 'script'`
const documentPolicy = "default-src 'none'; frame-ancestors 'none'; sandbox"
const mediaPolicy =
  "default-src 'none'; img-src 'self' data:; media-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox"
/**
 * Browsers apply this policy to their PDF viewer, too: with `sandbox` Chrome and Safari show nothing (whatwg/html issue
 * 3958).
 */
const pdfPolicy = "frame-ancestors 'none'"

/** The security headers of every surface, for one installation. */
export type SecurityHeaders = (surface: Surface) => Readonly<Record<string, string>>

/**
 * The table of security headers. HSTS and `upgrade-insecure-requests` are sent only when the public address is https:
 * on plain http they would break the site.
 *
 * @example makeSecurityHeaders('https://press.example')('page')
 * @param connect other origins that scripts of our pages may connect to
 * @param forms other origins that forms of our pages may be sent to
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
