import siteConfig from '../../site.config.ts'
import { Problem } from '../core/problem.ts'
import type { GuardedFetch } from '../fetching/fetched.ts'
import type { Handle } from '../http/route.ts'
import { makeMentionWork } from '../mentions/look-at-mentions.ts'
import { makeMentionStore } from '../mentions/mention-store.ts'
import { openShownMentions } from '../mentions/open-shown-mentions.ts'
import { makeReceiveMention } from '../mentions/receive-mention.ts'
import { type Build, buildFiles } from '../storage/build-folder.ts'
import type { LedgerDatabase } from '../storage/open-ledger-database.ts'
import type { Siblings } from '../storage/postgres/open-siblings.ts'
import { readRedirects } from '../storage/redirects-file.ts'
import { toCallerRoute } from './caller-route.ts'

interface Options {
  readonly db: LedgerDatabase
  readonly baseUrl: string
  readonly guardedFetch: GuardedFetch
  readonly siblings?: Siblings | undefined
  /** @throws Problem when the address has sent too much */
  readonly count: (address: string) => void
  readonly report: (error: unknown) => void
}

const mentions = 'mentions'

/** Opens mentions of posts by other sites: receiving webmentions, checking the pages, and what is shown of them. */
export async function openMentions({ db, baseUrl, guardedFetch, siblings, count, report }: Options) {
  const { receives, trustedHosts } = siteConfig.webmentions
  const store = makeMentionStore(db)
  const others = siblings && {
    tell: () => siblings.tell(mentions),
    onChange: (listener: () => void) => siblings.onChange(mentions, listener),
  }
  let posts: ReadonlySet<string> = new Set()
  let redirects: ReadonlyMap<string, string> = new Map()
  const toPresent = (path: string): string => redirects.get(path) ?? path
  const { shown, moved, changed, close } = await openShownMentions({ store, toPresent, report, others })
  const findPost = (named: string) => {
    const path = toPresent(named)
    const formers = [...redirects].flatMap(([former, now]) => (now === path ? [former] : []))
    return posts.has(path) ? { path, formers } : undefined
  }
  const receive = makeReceiveMention({ store, baseUrl, findPost, count, now: Date.now })
  const answer: Handle = (...asked) => {
    if (!receives) throw new Problem('not-found', { detail: 'This site does not accept webmentions' })
    return receive(...asked)
  }
  return {
    store,
    shown,
    changed,
    close,
    work: makeMentionWork({ store, guardedFetch, baseUrl, toPresent, trustedHosts, now: Date.now, onChange: changed }),
    route: toCallerRoute({ path: '/api/webmention', handlers: { POST: answer } }),
    /** Call it for each build that is served from now on: its posts can be mentioned. */
    serve({ folder, manifest }: Build): void {
      posts = new Set(Object.keys(manifest).filter((url) => /^\/posts\/[^/]+$/.test(url) && isPage(manifest[url])))
      redirects = readRedirects(buildFiles(folder).privateTexts)
      moved()
    },
  }
}

const isPage = (entry: Build['manifest'][string] | undefined): boolean => entry?.type.startsWith('text/html') ?? false
