import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type NarrationOf, openSearchIndex, type SearchIndex } from '../../src/search/open-search-index.ts'
import type { SearchDocument } from '../../src/search/search-document.ts'
import { writeSearchIndex } from '../../src/search/write-search-index.ts'

/** A post by number, with the fields that a test gives. */
export const samplePost = (number: number, given: Partial<SearchDocument>): SearchDocument => ({
  collection: 'posts',
  slug: `post-${number}`,
  url: `/posts/post-${number}`,
  title: '',
  excerpt: '',
  body: '',
  publishedAt: new Date(Date.UTC(2026, 0, 1, 0, number)).toISOString(),
  language: 'en',
  ...given,
})

/** An index of these documents in a file of its own; `remove` closes and deletes it. */
export function makeSearchIndex(
  documents: readonly SearchDocument[],
  narrationOf: NarrationOf = () => undefined,
): SearchIndex & { remove: () => void } {
  const folder = mkdtempSync(join(tmpdir(), 'search-'))
  const file = join(folder, 'search.db')
  writeSearchIndex(file, documents)
  const index = openSearchIndex(file, { narrationOf })
  return {
    ...index,
    remove() {
      index.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
