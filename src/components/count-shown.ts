const shown = new WeakMap<Request, Map<string, number>>()

/** How many times a page has already shown something with this name. To be called once for each time it is shown. */
export function countShown(page: Request, name: string): number {
  const counts = shown.get(page) ?? new Map<string, number>()
  const before = counts.get(name) ?? 0
  shown.set(page, counts.set(name, before + 1))
  return before
}
