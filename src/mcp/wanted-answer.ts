import { accepts, negotiate } from '../http/negotiate.ts'

/** What a GET to the tools asks for: a page for people, what is here for programs, or a stream of messages. */
export const wantedAnswer = ({ headers }: Request) =>
  negotiate(headers.get('accept'), ['text/html', 'application/json', 'text/event-stream'], 'application/json')

/** Answers are JSON; the library wants callers to name event streams too, which a line of shell does not. */
export function acceptBoth({ headers: given }: Request): Headers {
  const headers = new Headers(given)
  if (accepts(given.get('accept'), 'application/json')) headers.set('accept', 'application/json, text/event-stream')
  return headers
}
