import { type Fetched, FetchFailed, type GuardedFetch } from '../fetching/fetched.ts'
import type { Work } from '../jobs/carry-out.ts'
import { limitConcurrency } from '../workers/limit-concurrency.ts'
import { type Mention, type MentionStore, waits } from './mention-store.ts'
import type { Source } from './read-source.ts'

/** The result of a run. */
export interface MentionsSeen {
  /** How many pages were fetched. */
  readonly seen: number
  /** How many of them do mention us. */
  readonly found: number
}

interface Options {
  readonly store: MentionStore
  readonly guardedFetch: GuardedFetch
  /** Base URL of the site, without a slash at its end. */
  readonly baseUrl: string
  /** The current path of a text that was moved; every other path unchanged. */
  readonly toPresent: (path: string) => string
  /** Hosts whose mentions are approved without the operator. */
  readonly trustedHosts: readonly string[]
  readonly now: () => number
  /** Called when the shown mentions may have changed. */
  readonly onChange: () => Promise<void>
}

const wish = { accept: 'text/html, application/xhtml+xml', deadlineMs: 10_000, maxBytes: 1024 * 1024 }
const atOnce = 4
/** Pages per run; the others wait for the next run. */
const mostInRun = 60

/** Statuses that mean that a page does not exist any more. */
const gone: ReadonlySet<number> = new Set([404, 410])

type Answer = { readonly is: 'page'; readonly source: Source } | { readonly is: 'none' | 'unknown' }

/**
 * The work of the job `webmentions`: fetches the pages that are said to mention our posts, by the guarded fetch, and
 * keeps the mentions that are true (W3C Webmention). If a page does not link to us, or no longer does, its mention is
 * deleted.
 */
export function makeMentionWork(options: Options): Work<MentionsSeen> {
  const { store, guardedFetch, baseUrl, toPresent, trustedHosts, now, onChange } = options
  const { host } = new URL(baseUrl)
  const trusted = new Set(trustedHosts)

  async function ask({ source, target }: Mention, signal: AbortSignal): Promise<Answer> {
    try {
      const answer = await guardedFetch(source, { ...wish, signal })
      if (gone.has(answer.status)) return { is: 'none' }
      if (answer.status < 200 || answer.status > 299) return { is: 'unknown' }
      if (!isHtml(answer)) return { is: 'none' }
      const post = toPresent(target)
      const isTarget = (url: URL): boolean => url.host === host && toPresent(url.pathname.replace(/\/$/, '')) === post
      // Most sites are seldom mentioned, so the HTML parser is loaded with the first page.
      const { readSource } = await import('./read-source.ts')
      const read = readSource(toText(answer), answer.url, isTarget)
      return read.links ? { is: 'page', source: read } : { is: 'none' }
    } catch (error) {
      signal.throwIfAborted()
      if (!(error instanceof FetchFailed)) throw error
      return { is: error.reason === 'refused' ? 'none' : 'unknown' }
    }
  }

  async function look(mention: Mention, signal: AbortSignal): Promise<boolean> {
    const answer = await ask(mention, signal)
    switch (answer.is) {
      case 'page':
        await keepFound(mention, answer.source)
        return true
      case 'none':
        await store.forget(mention)
        return false
      case 'unknown':
        await askLater(mention)
        return false
    }
  }

  async function keepFound(mention: Mention, { author = null }: { readonly author?: string | undefined | null }) {
    const isTrusted = trusted.has(mention.host)
    // The operator approved what was shown then: with another author the mention has to be approved again.
    const isSame = mention.state === 'approved' && mention.author === author
    const state = isTrusted || isSame ? 'approved' : 'pending'
    await store.keep(mention, { state, author, attempts: 0, next_at: null })
  }

  async function askLater(mention: Mention): Promise<void> {
    const wait = waits[mention.attempts]
    if (wait !== undefined) await store.keep(mention, { attempts: mention.attempts + 1, next_at: now() + wait })
    else if (mention.state === 'waiting') await store.forget(mention)
    else await store.keep(mention, { attempts: 0, next_at: null })
  }

  return async (signal) => {
    const limited = limitConcurrency(atOnce)
    const due = await store.findDue(now(), mostInRun)
    const found = await Promise.all(
      due.map((mention) =>
        limited(() => {
          signal.throwIfAborted()
          return look(mention, signal)
        }),
      ),
    )
    if (due.length > 0) await onChange()
    return { seen: due.length, found: found.filter(Boolean).length }
  }
}

const isHtml = ({ headers }: Fetched): boolean =>
  /^(?:text\/html|application\/xhtml\+xml)\s*(?:;|$)/i.test(headers.get('content-type') ?? '')

/** Decodes the body by the charset of its header; as UTF-8 when that is not known. */
function toText({ headers, body }: Fetched): string {
  const [, label = 'utf-8'] = /charset="?([\w-]+)/i.exec(headers.get('content-type') ?? '') ?? []
  try {
    return new TextDecoder(label).decode(body)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    return new TextDecoder().decode(body)
  }
}
