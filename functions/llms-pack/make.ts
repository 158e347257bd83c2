import { toBundle } from '../../src/content/bundle.ts'
import { Problem } from '../../src/core/problem.ts'
import { defineMake } from '../../src/offers/make.ts'
import { textProduct } from '../../src/offers/product.ts'
import type { MakeContext } from '../make-context.ts'
import { fetchPage } from './fetch-page.ts'
import packOffer from './offer.ts'
import { openPageReader } from './reading/open-page-reader.ts'
import { type FetchedPage, toSection } from './to-section.ts'

/** Fetches all pages at once and makes one text of them; a page that is named twice is fetched once. */
export default defineMake(packOffer, (context: Pick<MakeContext, 'guardedFetch' | 'now' | 'onClose' | 'report'>) => {
  const reader = openPageReader(context)
  context.onClose(reader.close)
  return async ({ urls, maxCharsPerPage }, signal) => {
    const fetched = new Map<string, Promise<FetchedPage>>()
    const pages = await Promise.all(
      urls.map((url) => {
        const page =
          fetched.get(url) ?? fetchPage({ ...context, read: reader.read }, url, { maxChars: maxCharsPerPage, signal })
        fetched.set(url, page)
        return page
      }),
    )
    const failed = pages.filter(({ is }) => is === 'unread').length
    if (failed === pages.length) throw new Problem('work-failed', { charged: false, detail: whyNone(pages) })
    const bundle = toBundle(pages.map((page, at) => toSection(urls[at] ?? '', page)))
    return { ...textProduct(bundle), headers: { 'X-Pack-Failed': String(failed) } }
  }
})

function whyNone([first, ...others]: readonly FetchedPage[]): string {
  const reason = first?.is === 'unread' ? first.reason : ''
  return others.length === 0
    ? `The page was not fetched: ${reason}; nothing was charged`
    : `None of the ${others.length + 1} pages was fetched (the first: ${reason}); nothing was charged`
}
