/** Arrows go through the results, `/` and Escape back into the box. */
export function walkResults(page: Document, input: HTMLElement, links: () => readonly HTMLElement[]): void {
  page.addEventListener('keydown', (event) => {
    const all = links()
    const place = page.activeElement instanceof HTMLElement ? all.indexOf(page.activeElement) : -1
    const isTyping = page.activeElement === input
    if (event.key === 'ArrowDown' && (isTyping || place >= 0)) all[Math.min(place + 1, all.length - 1)]?.focus()
    else if (event.key === 'ArrowUp' && place >= 0) (all[place - 1] ?? input).focus()
    else if (event.key === 'Escape' && place >= 0) input.focus()
    else if (event.key === '/' && !isTyping && !event.ctrlKey && !event.metaKey && !event.altKey) input.focus()
    else return
    event.preventDefault()
  })
}
