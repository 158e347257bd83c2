/** Whether the keys that somebody presses are letters of a text. */
const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select'))

/** `/` leads to the box of this page, or to the search page, from wherever no text is written. */
export function startSearchKey(page: Document): void {
  page.addEventListener('keydown', (event) => {
    const { key, target, isComposing, ctrlKey, metaKey, altKey } = event
    if (key !== '/' || isComposing || ctrlKey || metaKey || altKey || isTyping(target)) return
    event.preventDefault()
    const box = page.querySelector<HTMLInputElement>('main input[name="q"]')
    if (box) box.focus()
    else location.assign('/search')
  })
}
