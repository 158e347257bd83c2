import type { Section } from '../../src/content/bundle.ts'
import type { ReadDocument } from './reading/document.ts'

/** A document and when it was fetched. */
export type FetchedPage = ReadDocument & { readonly fetchedAt: Date }

/** Characters of a page's limit that are reserved for the line of facts and the empty line below it. */
export const factsRoom = 128

/** One fetched page as a section of the bundle: its facts and text, or the reason why it has none. */
export function toSection(url: string, page: FetchedPage): Section {
  if (page.is === 'unread') return { title: '', url, body: `[not fetched: ${page.reason}]` }
  const { type, bytes, tokens } = page
  const at = page.fetchedAt.toISOString().replace(/\.\d+/, '')
  const facts = `${type || 'no type'}, ${bytes} bytes, about ${tokens} tokens, fetched ${at}`
  return { title: page.title, url, body: `${facts}\n\n${page.text}` }
}
