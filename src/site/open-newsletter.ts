import siteConfig from '../../site.config.ts'
import type { Config } from '../config/config.ts'
import { readPosts } from '../feeds/podcast/heard-posts.ts'
import type { Work } from '../jobs/carry-out.ts'
import { makeLetters, type NewPost } from '../newsletter/letters.ts'
import type { NewsletterForm } from '../newsletter/newsletter-form.ts'
import { makeNewsletterRoutes } from '../newsletter/newsletter-routes.ts'
import { type LettersSent, makeNewsletterWork } from '../newsletter/newsletter-work.ts'
import { makeReaders } from '../newsletter/readers.ts'
import { type Build, buildFiles } from '../storage/build-folder.ts'
import type { LedgerDatabase } from '../storage/open-ledger-database.ts'
import { findFormerSlugs, readRedirects } from '../storage/redirects-file.ts'
import { toCallerRoute } from './caller-route.ts'

interface Options {
  readonly config: Pick<Config, 'baseUrl' | 'email'>
  readonly db: LedgerDatabase
  /** @throws Problem when the address has sent too much */
  readonly count: (address: string) => void
  readonly report: (error: unknown) => void
  /** Aborts sending when the program stops. */
  readonly signal: AbortSignal
}

const { isOffered, provider } = siteConfig.newsletter
const nothing: LettersSent = { letters: 0, confirmations: 0, refused: 0, unknown: 0 }

/** The origins other than this site that forms of pages are sent to: that of the list provider, where there is one. */
export const newsletterOrigins = (): readonly string[] => {
  const action: string = provider.action
  return action === '' ? [] : [new URL(action).origin]
}

/** Opens the newsletter of new posts: by a list provider, by ourselves where there is a mail server, or not at all. */
export function openNewsletter({ config, db, count, report, signal }: Options) {
  const { baseUrl, email } = config
  const action: string = provider.action
  if (action !== '') return without({ action, field: provider.field })
  if (!isOffered || !email) return without(undefined)

  let posts: readonly NewPost[] = []
  const readers = makeReaders(db)
  const about = { name: siteConfig.name, baseUrl, mail: email, posts: () => posts, now: Date.now }
  const { work, sendConfirmations } = makeNewsletterWork({ ...about, readers, letters: makeLetters(db) })
  let sending: Promise<unknown> = Promise.resolve()
  const onAsked = (): void => {
    sending = sending.then(() => sendConfirmations(signal)).catch(report)
  }
  return {
    form: { action: '/api/newsletter', field: 'email' } satisfies NewsletterForm,
    work: work satisfies Work<LettersSent>,
    routes: makeNewsletterRoutes({ readers, count, onAsked, now: Date.now }).map(toCallerRoute),
    /** Call it for each build that is served from now on: its posts are published. */
    serve({ folder }: Build): void {
      const { privateTexts } = buildFiles(folder)
      const formers = findFormerSlugs(readRedirects(privateTexts))
      posts = readPosts(privateTexts).map((post) => ({ ...post, formers: formers.get(post.slug) ?? [] }))
    },
    /** Call it after the signal; resolves when nothing is being sent any more. */
    async close(): Promise<void> {
      await sending
    },
  }
}

const without = (form: NewsletterForm | undefined) => ({
  form,
  work: (async () => nothing) satisfies Work<LettersSent>,
  routes: makeNewsletterRoutes(undefined).map(toCallerRoute),
  serve: (): void => {},
  close: async (): Promise<void> => {},
})
