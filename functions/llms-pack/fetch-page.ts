import { FetchFailed, type FetchFailure, type GuardedFetch } from '../../src/fetching/fetched.ts'
import type { PageReader } from './reading/open-page-reader.ts'
import type { ReadDocument } from './reading/read-document.ts'

/** Markdown where a site has it, pages otherwise, and text as it is. */
const accept = 'text/markdown, text/html;q=0.9, application/xhtml+xml;q=0.9, text/plain;q=0.8'
/** Of the published limits: for names, redirects and body together. */
const deadlineMs = 15_000
const maxBytes = 2 * 1024 * 1024

/** What could not be reached for whatever reason reads the same, so that nobody maps a network through us. */
const reasons: Readonly<Record<FetchFailure, string>> = {
  unresolvable: 'it could not be reached',
  refused: 'it could not be reached',
  unreachable: 'it could not be reached',
  timeout: 'no answer within 15 seconds',
  certificate: 'its certificate is not valid',
  'too-many-redirects': 'too many redirects',
  malformed: 'the answer was not understood',
}

/** Fetches a page and reads its text; whatever goes wrong is said in a few words. */
export async function fetchPage(
  { guardedFetch, read }: Pick<PageReader, 'read'> & { readonly guardedFetch: GuardedFetch },
  url: string,
  { maxChars, signal }: { maxChars: number; signal: AbortSignal },
): Promise<ReadDocument> {
  try {
    const { status, headers, ...page } = await guardedFetch(url, { accept, deadlineMs, maxBytes, signal })
    if (status < 200 || status > 299) return { is: 'unread', reason: `the site answered ${status}` }
    const { url: last, body, isCut } = page
    return await read({ url: last, contentType: headers.get('content-type') ?? '', body, isCut, maxChars }, signal)
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof FetchFailed) return { is: 'unread', reason: reasons[error.reason] }
    throw error
  }
}
