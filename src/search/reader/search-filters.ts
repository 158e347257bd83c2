import type { Pagefind } from './load-pagefind.ts'

/** The choices by which results are narrowed: the selects in a box, which is hidden until there is something to choose. */
export function makeSearchFilters(box: HTMLElement, asked: URLSearchParams) {
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
