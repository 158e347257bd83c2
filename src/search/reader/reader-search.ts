import { askPagefind } from './ask-pagefind.ts'
import { askServer } from './ask-server.ts'
import { makeResultList, walkResults } from './result-list.ts'
import { type Place, readPlace, type Search } from './shown-result.ts'

const pageSize = 10
const leastLetters = 2
/** The pause in typing after which to search: longer than between two letters, shorter than between two words. */
const pauseMs = 120
const slowMs = 400
const sorry = 'The search did not answer. Try again, or look through the posts.'

/** Searches the index of the server, which has the newest posts; once there is none, the one among the files. */
function makeSearch(): Search {
  let hasServer = true
  return async (query, place) => {
    const answer = hasServer ? await askServer(query, place) : undefined
    hasServer = answer !== undefined
    return answer ?? askPagefind(query, place)
  }
}

/** Makes the search page search while the user types, and keeps the address in step. */
export function startReaderSearch(page: Document): void {
  const input = page.querySelector<HTMLInputElement>('input[name="q"]')
  const list = page.querySelector<HTMLElement>('[data-search-results]')
  const status = page.querySelector<HTMLElement>('[data-search-status]')
  const more = page.querySelector<HTMLElement>('[data-search-more]')
  const where = page.querySelector<HTMLSelectElement>('[data-search-where]')
  if (!input || !list || !status || !more || !where) return
  const asked = new URLSearchParams(location.search)
  const results = makeResultList(page, { list, status, more })
  const ask = makeSearch()
  let latest = 0
  let pause: ReturnType<typeof setTimeout> | undefined

  /** @returns whether it has shown its results */
  async function search(query: string): Promise<boolean> {
    const mine = ++latest
    const isLatest = () => mine === latest
    const place = readPlace(where?.value ?? null)
    keepAddress(query, place)
    if ([...query].length < leastLetters) {
      results.show([], '')
      return false
    }
    const slow = setTimeout(() => isLatest() && results.say('Searching…'), slowMs)
    try {
      const { total, size, take } = await ask(query, place)
      const sentence = toSentence(query, total, size)
      const showFirst = async (count: number): Promise<void> => {
        const found = await take(count)
        if (!isLatest()) return
        // The button may be gone then, so the first new result gets the focus.
        const showMore = () =>
          void showFirst(count + pageSize)
            .then(() => isLatest() && results.links()[count]?.focus())
            .catch(() => results.say(sorry))
        results.show(found, sentence, count < size ? showMore : undefined)
      }
      if (isLatest()) await showFirst(pageSize)
      return isLatest()
    } catch {
      // Earlier results do not belong to this query.
      if (isLatest()) results.show([], sorry)
      return false
    } finally {
      clearTimeout(slow)
    }
  }

  const searchNow = (): Promise<boolean> => {
    clearTimeout(pause)
    return search(input.value.trim())
  }

  input.value = asked.get('q') ?? ''
  where.value = readPlace(asked.get('collection')) ?? ''
  input.addEventListener('input', () => {
    clearTimeout(pause)
    pause = setTimeout(() => void searchNow(), pauseMs)
  })
  input.form?.addEventListener('submit', (event) => {
    event.preventDefault()
    const written = input.value
    // The focus does not move while the user continues to type.
    void searchNow().then((isShown) => isShown && input.value === written && results.links()[0]?.focus())
    if ([...written.trim()].length === 1) results.say('Write at least two letters.')
  })
  where.addEventListener('change', () => void searchNow())
  walkResults(page, input, results.links)
  if (input.value === '') input.focus()
  else void searchNow()
}

function toSentence(query: string, total: number, size: number): string {
  if (total === 0) return `Nothing found for “${query}”.`
  const counted = total === 1 ? '1 result' : `${total} results`
  return size < total ? `${counted} for “${query}”, the best ${size} of them here.` : `${counted} for “${query}”.`
}

/**
 * Writes the query into the address, so that it can be shared and is restored when the user comes back from a result.
 */
function keepAddress(query: string, place: Place | undefined): void {
  const parameters = Object.entries({ q: query, collection: place ?? '' }).filter(([, value]) => value !== '')
  history.replaceState(null, '', parameters.length > 0 ? `?${new URLSearchParams(parameters)}` : location.pathname)
}
