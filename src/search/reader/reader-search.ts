import { loadPagefind, type Pagefind } from './load-pagefind.ts'
import { makeResultList, walkResults } from './result-list.ts'

/** The choices by which results are narrowed: the selects in a box, which is hidden until there is something to choose. */
function makeSearchFilters(box: HTMLElement, asked: URLSearchParams) {
  const selects = [...box.querySelectorAll<HTMLSelectElement>('select[data-search-filter]')]
  const nameOf = ({ dataset }: HTMLSelectElement): string => dataset['searchFilter'] ?? ''
  return {
    selects,
    /** Offers what there is to choose, with what the address asks for chosen. */
    async fill(pagefind: Pagefind): Promise<void> {
      const filters = await pagefind.filters()
      for (const select of selects) {
        const name = nameOf(select)
        for (const value of Object.keys(filters[name] ?? {}).sort()) select.add(new Option(value, value))
        select.value = asked.get(name) ?? ''
        if (select.selectedIndex < 0) select.value = ''
      }
      box.removeAttribute('hidden')
    },
    /** Values by filter, without those that are left open. */
    chosen: (): Record<string, string> =>
      Object.fromEntries(selects.flatMap((select) => (select.value ? [[nameOf(select), select.value]] : []))),
  }
}

const pageSize = 10
/** Shorter than a pause between two words, longer than one between two letters. */
const pauseMs = 120
const slowMs = 400

/** Makes the search page search while one types: results from Pagefind, and the address kept in step. */
export function startReaderSearch(page: Document): void {
  const input = page.querySelector<HTMLInputElement>('input[name="q"]')
  const list = page.querySelector<HTMLElement>('[data-search-results]')
  const status = page.querySelector<HTMLElement>('[data-search-status]')
  const more = page.querySelector<HTMLElement>('[data-search-more]')
  const filterBox = page.querySelector<HTMLElement>('[data-search-filters]')
  if (!input || !list || !status || !more || !filterBox) return
  const asked = new URLSearchParams(location.search)
  const filters = makeSearchFilters(filterBox, asked)
  const results = makeResultList(page, { list, status, more })
  let pagefind: Promise<Pagefind> | undefined
  let latest = 0
  let pause: ReturnType<typeof setTimeout> | undefined

  const load = (): Promise<Pagefind> => {
    pagefind ??= loadPagefind().then(async (loaded) => {
      await filters.fill(loaded)
      return loaded
    })
    pagefind.catch(() => {
      pagefind = undefined
    })
    return pagefind
  }

  async function search(query: string): Promise<void> {
    const mine = ++latest
    const isLatest = () => mine === latest
    if (query === '') {
      keepAddress('', filters.chosen())
      results.show([], '')
      return
    }
    const slow = setTimeout(() => isLatest() && results.say('Searching…'), slowMs)
    try {
      const loaded = await load()
      if (!isLatest()) return
      const chosen = filters.chosen()
      keepAddress(query, chosen)
      const { results: hits } = await loaded.search(query, { filters: chosen })
      const counted = hits.length === 1 ? '1 result' : `${hits.length} results`
      const sentence = hits.length === 0 ? `Nothing found for “${query}”.` : `${counted} for “${query}”.`
      const showFirst = async (count: number): Promise<void> => {
        const found = await Promise.all(hits.slice(0, count).map((hit) => hit.data()))
        if (!isLatest()) return
        const showMore = () => void showFirst(count + pageSize).catch(fail)
        results.show(found, sentence, count < hits.length ? showMore : undefined)
      }
      await showFirst(pageSize)
    } catch {
      if (isLatest()) fail()
    } finally {
      clearTimeout(slow)
    }
  }

  const fail = (): void => results.say('The search could not be loaded. Try again, or look through the posts.')
  const searchNow = (): Promise<void> => {
    clearTimeout(pause)
    return search(input.value.trim())
  }

  input.value = asked.get('q') ?? ''
  input.addEventListener('input', () => {
    clearTimeout(pause)
    pause = setTimeout(() => void searchNow(), pauseMs)
  })
  input.addEventListener('focus', () => void load().catch(() => {}), { once: true })
  input.form?.addEventListener('submit', (event) => {
    event.preventDefault()
    void searchNow().then(() => results.links()[0]?.focus())
  })
  for (const select of filters.selects) select.addEventListener('change', () => void searchNow())
  walkResults(page, input, results.links)
  if (input.value === '') input.focus()
  else void searchNow()
}

/** So that a search can be shared, and is there again after a look at a result. */
function keepAddress(query: string, filters: Readonly<Record<string, string>>): void {
  const parameters = Object.entries({ q: query, ...filters }).filter(([, value]) => value !== '')
  history.replaceState(null, '', parameters.length > 0 ? `?${new URLSearchParams(parameters)}` : location.pathname)
}
