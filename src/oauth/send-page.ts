import type { ServerResponse } from 'node:http'

/**
 * Sends a page of the sign-in: never kept, never framed, and its address told to nobody.
 *
 * @param origin where the answer to its form leads in the end; browsers hold redirects to the policy, too
 */
export function sendPage(res: ServerResponse, status: number, html: string, origin?: string): void {
  const formAction = ["'self'", ...(origin === undefined ? [] : [toSource(origin)])].join(' ')
  res.writeHead(status, { ...pageHeaders(formAction), 'content-length': Buffer.byteLength(html) }).end(html)
}

/** A policy has no way to name an IPv6 address, or a host with signs of its own: those have their scheme in it. */
const toSource = (origin: string): string =>
  /^https?:\/\/[\w.-]+(?::\d+)?$/.test(origin) ? origin : new URL(origin).protocol

export const pageHeaders = (formAction = "'self'") => ({
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'content-security-policy': `default-src 'none'; script-src 'self'; style-src 'self'; form-action ${formAction}; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'`,
})
