import { loadPagefind, type Pagefind } from './load-pagefind.ts'
import { markedNodes } from './marked-nodes.ts'

const pageSize = 10
/** Shorter than a pause between two words, longer than one between two letters. */
const pauseMs = 120
const slowMs = 400

/**
 * Makes the search page search while one types: results from Pagefind, the address kept in step, arrows through the
 * results, `/` and Escape back into the box.
 */
export function startReaderSearch(page: Document): void {
  const input = page.querySelector<HTMLInputElement>('input[name="q"]')
  const list = page.querySelector<HTMLElement>('[data-search-results]')
  const status = page.querySelector<HTMLElement>('[data-search-status]')
  const more = page.querySelector<HTMLElement>('[data-search-more]')
  const filterBox = page.querySelector<HTMLElement>('[data-search-filters]')
  if (!input || !list || !status || !more || !filterBox) return
  const selects = [...filterBox.querySelectorAll<HTMLSelectElement>('select[data-search-filter]')]
  const parameters = new URLSearchParams(location.search)
  let pagefind: Promise<Pagefind> | undefined
  let latest = 0
  let pause: ReturnType<typeof setTimeout> | undefined

  const load = (): Promise<Pagefind> => {
    pagefind ??= loadPagefind().then(async (loaded) => {
      await fillFilters(loaded)
      return loaded
    })
    pagefind.catch(() => {
      pagefind = undefined
    })
    return pagefind
  }

  async function fillFilters(loaded: Pagefind): Promise<void> {
    const filters = await loaded.filters()
    for (const select of selects) {
      const name = select.dataset['searchFilter'] ?? ''
      for (const value of Object.keys(filters[name] ?? {}).sort()) select.add(new Option(value, value))
      select.value = parameters.get(name) ?? ''
      if (select.selectedIndex < 0) select.value = ''
    }
    filterBox?.removeAttribute('hidden')
  }

  async function search(): Promise<void> {
    const mine = ++latest
    const query = input?.value.trim() ?? ''
    if (query === '') {
      keepAddress('')
      show([], '', () => {})
      return
    }
    const slow = setTimeout(() => mine === latest && say('Searching…'), slowMs)
    try {
      const loaded = await load()
      if (mine !== latest) return
      keepAddress(query)
      const filters = Object.fromEntries(
        selects.flatMap(({ dataset, value }) => (value ? [[dataset['searchFilter'], value]] : [])),
      )
      const { results } = await loaded.search(query, { filters })
      await showFirst(pageSize)

      async function showFirst(count: number): Promise<void> {
        const found = await Promise.all(results.slice(0, count).map((result) => result.data()))
        if (mine !== latest) return
        const total = results.length === 1 ? '1 result' : `${results.length} results`
        const sentence = results.length === 0 ? `Nothing found for “${query}”.` : `${total} for “${query}”.`
        show(
          found.map(toItem),
          sentence,
          count < results.length ? () => void showFirst(count + pageSize).catch(fail) : undefined,
        )
      }
    } catch {
      if (mine === latest) fail()
    } finally {
      clearTimeout(slow)
    }
  }

  const fail = (): void => say('The search could not be loaded. Try again, or look through the posts.')
  const say = (sentence: string): void => {
    if (status) status.textContent = sentence
  }

  function show(items: readonly HTMLElement[], sentence: string, showMore?: () => void): void {
    list?.replaceChildren(...items)
    say(sentence)
    more?.toggleAttribute('hidden', !showMore || items.length === 0)
    const button = more?.querySelector('button')
    if (button) button.onclick = showMore ?? null
  }

  function keepAddress(query: string): void {
    const chosen = selects.map(({ dataset, value }) => [dataset['searchFilter'] ?? '', value])
    const address = new URLSearchParams([['q', query], ...chosen].filter(([, value]) => value)).toString()
    history.replaceState(null, '', address ? `?${address}` : location.pathname)
  }

  const soon = (): void => {
    clearTimeout(pause)
    pause = setTimeout(() => void search(), pauseMs)
  }
  const links = (): HTMLElement[] => [...list.querySelectorAll<HTMLElement>('a')]

  function walk(event: KeyboardEvent): void {
    const all = links()
    const place = page.activeElement instanceof HTMLElement ? all.indexOf(page.activeElement) : -1
    const isTyping = page.activeElement === input
    if (event.key === 'ArrowDown' && (isTyping || place >= 0)) all[Math.min(place + 1, all.length - 1)]?.focus()
    else if (event.key === 'ArrowUp' && place >= 0) (all[place - 1] ?? input)?.focus()
    else if (event.key === 'Escape' && place >= 0) input?.focus()
    else if (event.key === '/' && !isTyping && !event.ctrlKey && !event.metaKey && !event.altKey) input?.focus()
    else return
    event.preventDefault()
  }

  input.value = parameters.get('q') ?? ''
  input.addEventListener('input', soon)
  input.addEventListener('focus', () => void load().catch(() => {}), { once: true })
  input.form?.addEventListener('submit', (event) => {
    event.preventDefault()
    clearTimeout(pause)
    void search().then(() => links()[0]?.focus())
  })
  for (const select of selects) select.addEventListener('change', () => void search())
  page.addEventListener('keydown', walk)
  if (input.value === '') input.focus()
  else void search()

  function toItem({
    url,
    meta,
    excerpt,
  }: Awaited<ReturnType<Awaited<ReturnType<Pagefind['search']>>['results'][number]['data']>>): HTMLElement {
    const item = page.createElement('li')
    const heading = page.createElement('h2')
    const link = page.createElement('a')
    const text = page.createElement('p')
    // Pagefind names folders; our pages have no slash at the end.
    link.href = url.replace(/(?<=.)\/(?=$|[?#])/, '')
    link.textContent = meta['title'] ?? url
    text.append(...markedNodes(page, excerpt))
    heading.append(link)
    item.append(heading, text)
    return item
  }
}
