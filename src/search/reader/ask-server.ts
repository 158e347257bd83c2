import type { Answer, Place, ShownResult } from './shown-result.ts'

/** The parts of the response of `/api/search.json` that are used here. */
interface Found {
  readonly title: string
  readonly url: string
  readonly snippet?: string
  readonly kind: 'post' | 'page' | 'skill' | 'hostedApi' | 'content'
  readonly price?: string
  readonly narrationDuration?: string
  readonly listenUrl?: string
}

const most = 50
const names: Readonly<Record<Found['kind'], string>> = {
  post: 'Post',
  page: 'Page',
  skill: 'Skill',
  hostedApi: 'API',
  content: 'All the writing',
}
/** The `kinds` parameter of the API for each place, so that the best are chosen among these. */
const kinds: Readonly<Record<Place, string>> = {
  Posts: 'post',
  Pages: 'page',
  Skills: 'skill',
  APIs: 'hostedApi,content',
}

/** Searches through the API of the site; undefined where it does not exist, as on a host for static files. */
export async function askServer(query: string, place: Place | undefined): Promise<Answer | undefined> {
  const asked = new URLSearchParams({ q: query, limit: String(most) })
  if (place) asked.set('kinds', kinds[place])
  const answer = await fetch(`/api/search.json?${asked}`)
  if (answer.status === 404 || answer.status === 405) return undefined
  if (!answer.ok) throw new Error(`the search answered ${answer.status}`)
  if (!answer.headers.get('content-type')?.startsWith('application/json')) return undefined
  const { total, results }: { total: number; results: readonly Found[] } = await answer.json()
  const shown = results.map(toShown)
  return { total, size: shown.length, take: async (count) => shown.slice(0, count) }
}

const toShown = ({ title, url, snippet = '', kind, price, narrationDuration, listenUrl }: Found): ShownResult => ({
  title,
  url,
  snippet,
  about: [names[kind], price, narrationDuration].filter((part) => part !== undefined).join(', '),
  ...(listenUrl !== undefined && { listenUrl }),
})
