import { type ClientMetadata, errors } from 'oidc-provider'
import { hasBlankSign, hasInk } from '../core/ink.ts'

const maxName = 80
const maxRedirects = 10
const maxRedirect = 1000
const loopback = new Set(['localhost', '127.0.0.1', '[::1]'])
/** Schemes that browsers handle themselves; every other scheme is private to a program (RFC 8252, 7.1). */
const browsersOwn = /^(?:https?|wss?|ftp|file|filesystem|blob|data|javascript|vbscript|about|view-source):$/

/** The metadata that is kept of a client. Everything else is the same for all clients and decided here. */
const kept = new Set(['client_id', 'client_id_issued_at', 'client_name', 'redirect_uris'])

/**
 * Validates the registration of a client, which may be redirected to this machine or to https addresses, as MCP
 * requires. A client that also lists an address of its own scheme (Cursor does) is registered without that, and told so
 * in the response (RFC 7591, 3.2.1): nobody is ever redirected to a scheme that any program can claim.
 *
 * @throws InvalidRedirectUri, InvalidClientMetadata
 */
export function checkClient(client: ClientMetadata): void {
  for (const name of Object.keys(client)) if (!kept.has(name)) delete client[name]
  const { redirect_uris: redirects, client_name: name } = client
  if (!Array.isArray(redirects) || redirects.length === 0 || redirects.length > maxRedirects)
    throw new errors.InvalidClientMetadata(`redirect_uris must be a list of 1 to ${maxRedirects} addresses`)
  const safe = redirects.filter(isSafeRedirect)
  if (safe.length === 0 || !redirects.every((redirect) => isSafeRedirect(redirect) || isOfOwnScheme(redirect)))
    throw new errors.InvalidRedirectUri('redirect_uris must be https, or http on localhost, 127.0.0.1 or [::1]')
  client.redirect_uris = safe
  if (name !== undefined && (typeof name !== 'string' || !isPlainName(name)))
    throw new errors.InvalidClientMetadata(`client_name must be 1 to ${maxName} printable characters`)
  // The library compares loopback addresses without their port only for native clients (RFC 8252, 7.3).
  client.application_type = 'native'
}

const readRedirect = (redirect: unknown): URL | null =>
  typeof redirect === 'string' && redirect.length <= maxRedirect ? URL.parse(redirect) : null

function isOfOwnScheme(redirect: unknown): boolean {
  const url = readRedirect(redirect)
  return url !== null && !browsersOwn.test(url.protocol)
}

function isSafeRedirect(redirect: unknown): redirect is string {
  const url = readRedirect(redirect)
  if (url?.username !== '' || url.password !== '') return false
  const isHere = loopback.has(url.hostname)
  return url.protocol === 'https:' ? !isHere : url.protocol === 'http:' && isHere
}

/**
 * Whether a name is one line of visible text: no control characters, no invisible letters, no characters that change
 * the writing direction.
 */
const isPlainName = (name: string): boolean =>
  name.length <= maxName && hasInk(name) && !hasBlankSign(name) && /^[^\p{C}\p{Zl}\p{Zp}]+$/u.test(name)
