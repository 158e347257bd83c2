import { accepts, negotiate } from '../http/negotiate.ts'

/** What a GET of the MCP address asks for: the page for people, the description for programs, or an event stream. */
export const wantedAnswer = ({ headers }: Request) =>
  negotiate(headers.get('accept'), ['text/html', 'application/json', 'text/event-stream'], 'application/json')

/**
 * Adds event streams to `Accept`: responses are JSON, but the library requires both, which a simple client does not
 * send.
 */
export function acceptBoth({ headers: given }: Request): Headers {
  const headers = new Headers(given)
  if (accepts(given.get('accept'), 'application/json')) headers.set('accept', 'application/json, text/event-stream')
  return headers
}
