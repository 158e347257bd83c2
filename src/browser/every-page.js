// Blocks rendering, so that no page is first painted in other colours.
{
  const { dataset } = document.documentElement
  const choices = { theme: ['system', 'light', 'dark'], keys: ['on', 'off'] }

  /** @param {Readonly<Record<string, string | undefined>>} from */
  const show = (from) => {
    for (const [name, values] of Object.entries(choices)) {
      dataset[name] = values.find((value) => value === from[name]) ?? values[0]
      for (const button of document.querySelectorAll('button'))
        if (button.dataset['choose'] === name) button.ariaPressed = String(button.value === dataset[name])
    }
  }
  // If the browser stores nothing, a choice lasts until the page is closed.
  const showKept = () => {
    try {
      show(localStorage)
    } catch {
      show(dataset)
    }
  }

  showKept()
  document.addEventListener('DOMContentLoaded', () => show(dataset))
  document.addEventListener('click', ({ target }) => {
    const button = target instanceof Element ? target.closest('button') : null
    const name = button?.dataset['choose']
    if (!button || !name) return
    show({ ...dataset, [name]: button.value })
    try {
      localStorage[name] = button.value
    } catch {
      // Shown, but not stored.
    }
  })
  // Other tabs follow, and pages from the back/forward cache.
  addEventListener('storage', showKept)
  addEventListener('pageshow', ({ persisted }) => persisted && showKept())

  // `/` focuses the page's search box or opens the search, unless somebody types.
  document.addEventListener('keydown', (event) => {
    const { key, target, isComposing, ctrlKey, metaKey, altKey } = event
    if (key !== '/' || dataset['keys'] === 'off' || isComposing || ctrlKey || metaKey || altKey) return
    if (target instanceof Element && target.closest('input, textarea, select, [contenteditable]')) return
    event.preventDefault()
    const [box] = document.getElementsByName('q')
    if (box) box.focus()
    else location.assign('/search')
  })
}
