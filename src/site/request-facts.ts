import type { IncomingMessage, ServerResponse } from 'node:http'
import { hasBody } from '../http/limit-requests.ts'
import { prefersHtml } from '../http/negotiate.ts'

/** Whether a request has a payment for the product at its path, and neither a query nor a body. */
export const isPlainPayment = (req: IncomingMessage, path: string): boolean =>
  req.method === 'GET' && req.headers['payment-signature'] !== undefined && req.url === path && !hasBody(req)

/** A signal that is aborted when the connection closes before the response was sent. */
export function whenGone({ socket }: IncomingMessage, res: ServerResponse): AbortSignal {
  const gone = new AbortController()
  const leave = (): void => gone.abort()
  if (socket.destroyed) leave()
  socket.once('close', leave)
  res.once('finish', () => socket.off('close', leave))
  return gone.signal
}

/** The query of a request with its question mark; empty where there is none. */
export const queryOf = ({ url = '' }: IncomingMessage): string => (url.includes('?') ? url.slice(url.indexOf('?')) : '')

/** The path of a request without its query. */
export const pathOf = ({ url = '' }: IncomingMessage): string => url.split('?', 1)[0] ?? ''

/** Whether a request only reads. */
export const isRead = ({ method }: IncomingMessage): boolean => method === 'GET' || method === 'HEAD'

/** Whether a person wants a page: not a file, and not an API path. */
export const wantsPage = (req: IncomingMessage): boolean => {
  if (!isRead(req)) return false
  const path = pathOf(req)
  // Without a regular expression, which would take quadratic time on many dots; requests for unknown paths are not
  // limited.
  const isDocument = path.lastIndexOf('.') > path.lastIndexOf('/')
  return !isDocument && !/^\/api(?:\/|$)/.test(path) && prefersHtml(req.headers.accept)
}
