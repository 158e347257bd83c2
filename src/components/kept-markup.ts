const kept = new Map<string, Promise<string>>()

/**
 * The HTML of a part that is the same on many pages, rendered once in a process. While components are edited, it is
 * rendered each time.
 *
 * @param name everything on which the part depends
 */
export function keepMarkup(name: string, render: () => Promise<string>): Promise<string> {
  const known = import.meta.env.DEV ? undefined : kept.get(name)
  const markup = known ?? render().then((html) => html.trim())
  kept.set(name, markup)
  return markup
}
