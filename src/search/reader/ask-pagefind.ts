import { loadPagefind, type Pagefind } from './load-pagefind.ts'
import type { Answer, Place } from './shown-result.ts'

let loading: Promise<Pagefind> | undefined

/** Searches with Pagefind in the files of the build, where there is no server. */
export async function askPagefind(query: string, place: Place | undefined): Promise<Answer> {
  loading ??= loadPagefind()
  loading.catch(() => {
    loading = undefined
  })
  const { results } = await (await loading).search(query, { filters: place ? { collection: place } : {} })
  return {
    total: results.length,
    size: results.length,
    take: async (count) => {
      const found = await Promise.all(results.slice(0, count).map((hit) => hit.data()))
      return found.map(({ url, excerpt, meta, filters }) => ({
        // Pagefind's URLs end in a slash; ours do not.
        url: url.replace(/(?<=.)\/(?=$|[?#])/, ''),
        title: meta['title'] ?? url,
        snippet: excerpt,
        about: (filters['collection']?.[0] ?? '').replace(/s$/, ''),
      }))
    },
  }
}
