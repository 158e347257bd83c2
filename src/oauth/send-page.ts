import type { ServerResponse } from 'node:http'

/**
 * Sends a page of the sign-in: never cached, never framed, and without sending its address as referrer.
 *
 * @param origin the origin to which the response to its form finally redirects; browsers apply `form-action` to
 * redirects, too
 */
export function sendPage(res: ServerResponse, status: number, html: string, origin?: string): void {
  const formAction = ["'self'", ...(origin === undefined ? [] : [toSource(origin)])].join(' ')
  res.writeHead(status, { ...pageHeaders(formAction), 'content-length': Buffer.byteLength(html) }).end(html)
}

/**
 * The CSP source of an origin: only the scheme for IPv6 addresses and unusual host names, which a policy cannot
 * express.
 */
const toSource = (origin: string): string =>
  /^https?:\/\/[\w.-]+(?::\d+)?$/.test(origin) ? origin : new URL(origin).protocol

export const pageHeaders = (formAction = "'self'") => ({
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'content-security-policy': `default-src 'none'; script-src 'self'; style-src 'self'; form-action ${formAction}; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'`,
})
