import { findPart } from './find-part.ts'

/** A sentence that was found. */
interface Said {
  readonly slug: string
  readonly title: string
  readonly snippet: string
  readonly start: number
  readonly clock: string
  readonly url: string
}

const slowMs = 10_000

const fieldsOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {}

const toSaid = (value: unknown): Said => {
  const { post, snippet, start, startFormatted, deepLinkUrl } = fieldsOf(value)
  const { slug, title } = fieldsOf(post)
  return {
    slug: String(slug),
    title: String(title),
    snippet: String(snippet),
    start: Number(start),
    clock: String(startFormatted),
    url: String(deepLinkUrl),
  }
}

async function findSaid(query: string): Promise<Said[]> {
  const response = await fetch(`/api/transcripts/search.json?q=${encodeURIComponent(query)}`, {
    signal: AbortSignal.timeout(slowMs),
  })
  const { hits } = fieldsOf(await response.json())
  if (!response.ok || !Array.isArray(hits)) throw new Error(`the search answered ${response.status}`)
  return hits.map(toSaid)
}

/**
 * Searches the transcripts of the episodes without leaving the page.
 *
 * @param play plays an episode from a time in seconds; false when the page does not have it
 */
export function startSaidSearch(page: Document, play: (slug: string, seconds: number) => boolean): void {
  const form = findPart(HTMLFormElement, 'said-search', page)
  const list = findPart(HTMLElement, 'said', page)
  const status = findPart(HTMLElement, 'said-status', page)
  let latest = 0

  const toItem = ({ slug, title, snippet, start, clock, url }: Said): HTMLElement => {
    const item = page.createElement('li')
    const link = page.createElement('a')
    link.href = url
    link.textContent = snippet
    link.addEventListener('click', (event) => {
      if (!event.ctrlKey && !event.metaKey && !event.shiftKey && play(slug, start)) event.preventDefault()
    })
    const where = page.createElement('p')
    where.className = 'fine'
    where.textContent = `${title}, ${clock}`
    item.append(link, where)
    return item
  }

  form.addEventListener('submit', (event) => {
    event.preventDefault()
    const query = String(new FormData(form).get('q') ?? '').trim()
    const mine = ++latest
    if (query === '') {
      list.replaceChildren()
      status.textContent = ''
      return
    }
    findSaid(query).then(
      (found) => {
        if (mine !== latest) return
        list.replaceChildren(...found.map(toItem))
        const count = found.length === 1 ? '1 sentence' : `${found.length} sentences`
        status.textContent = found.length === 0 ? 'Nobody says that in an episode.' : `${count}, played from there`
      },
      () => {
        if (mine !== latest) return
        // Earlier results do not belong to this query.
        list.replaceChildren()
        status.textContent = 'The search did not answer. Try again in a moment.'
      },
    )
  })
}
