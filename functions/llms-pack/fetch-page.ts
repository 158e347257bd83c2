import { FetchFailed, type FetchFailure } from '../../src/fetching/fetched.ts'
import type { MakeContext } from '../make-context.ts'
import { notUnderstood } from './reading/document.ts'
import type { PageReader } from './reading/open-page-reader.ts'
import { type FetchedPage, factsRoom } from './to-section.ts'

/** Prefers markdown, then HTML, then the data formats that can be read. */
const accept =
  'text/markdown, text/html;q=0.9, application/xhtml+xml;q=0.9, text/plain;q=0.8, application/json;q=0.7, application/xml;q=0.7, text/csv;q=0.7, application/pdf;q=0.6'
/** Published limit for DNS lookup, redirects and body together. */
const deadlineMs = 15_000
const maxBytes = 2 * 1024 * 1024
const wish = { accept, deadlineMs, maxBytes, keepsEncoding: true } as const

/** All reasons why a host cannot be reached read the same, so that nobody can map a private network by them. */
const reasons: Readonly<Record<FetchFailure, string>> = {
  unresolvable: 'it could not be reached',
  refused: 'it could not be reached',
  unreachable: 'it could not be reached',
  timeout: 'no answer within 15 seconds',
  certificate: 'its certificate is not valid',
  'too-many-redirects': 'too many redirects',
  malformed: notUnderstood,
}

/**
 * The media type of a response. When the header was sent twice, the last type counts, as in browsers (WHATWG Fetch,
 * extract a MIME type); a charset that an earlier value gave for the same type is kept.
 */
function toType(header: string): string {
  const types = header.split(',').filter((part) => /^\s*[\w.+-]+\/[\w.+-]+/.test(part))
  const last = types.at(-1)?.trim() ?? header
  const essence = (type: string) => (type.split(';')[0] ?? '').trim().toLowerCase()
  const charset = types.findLast((type) => essence(type) === essence(last) && /;\s*charset\s*=/i.test(type))
  return charset?.trim() ?? last
}

/**
 * Fetches a page and reads its text. A failure to fetch or read is a result with a short reason.
 *
 * @throws when `signal` is aborted
 */
export async function fetchPage(
  { guardedFetch, read, now }: Pick<PageReader, 'read'> & Pick<MakeContext, 'guardedFetch' | 'now'>,
  url: string,
  { maxChars, signal }: { maxChars: number; signal: AbortSignal },
): Promise<FetchedPage> {
  const fetchedAt = now()
  try {
    const { status, headers, ...page } = await guardedFetch(url, { ...wish, signal })
    if (status < 200 || status > 299) return { is: 'unread', reason: `the site answered ${status}`, fetchedAt }
    const { url: last, body, isCut, encoding } = page
    const contentType = toType(headers.get('content-type') ?? '')
    const task = {
      url: last,
      contentType,
      body,
      isCut,
      ...(encoding !== undefined && { encoding: { names: encoding, maxBytes } }),
    }
    return { ...(await read({ ...task, maxChars: maxChars - factsRoom }, signal)), fetchedAt }
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof FetchFailed) return { is: 'unread', reason: reasons[error.reason], fetchedAt }
    throw error
  }
}
