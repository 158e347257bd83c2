// Loaded by itself and at once, so that no page is painted in colours that were not chosen.
{
  const root = document.documentElement
  const key = 'theme'

  // A browser may keep nothing: then a choice lasts as long as its page.
  const read = () => {
    try {
      return localStorage.getItem(key)
    } catch {
      return null
    }
  }
  /** @param {string | null | undefined} theme */
  const show = (theme) => {
    const shown = theme === 'light' || theme === 'dark' ? theme : 'system'
    root.dataset['theme'] = shown
    for (const button of document.querySelectorAll('[data-choose-theme]'))
      button.setAttribute('aria-pressed', String(button.getAttribute('data-choose-theme') === shown))
  }

  show(read())
  document.addEventListener('DOMContentLoaded', () => show(root.dataset['theme']))
  document.addEventListener('click', ({ target }) => {
    const button = target instanceof Element ? target.closest('[data-choose-theme]') : null
    const theme = button?.getAttribute('data-choose-theme')
    if (!theme) return
    try {
      localStorage.setItem(key, theme)
    } catch {
      // It is shown all the same.
    }
    show(theme)
  })
  // Pages that stand open elsewhere follow, and so do those that the browser brings back.
  addEventListener('storage', (event) => {
    if (event.key === key) show(event.newValue)
  })
  addEventListener('pageshow', (event) => {
    if (event.persisted) show(read())
  })
}

// `/` leads to the box of this page, or to the search page, from wherever no text is written.
document.addEventListener('keydown', (event) => {
  const { key, target, isComposing, ctrlKey, metaKey, altKey } = event
  if (key !== '/' || isComposing || ctrlKey || metaKey || altKey) return
  if (target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select'))) return
  event.preventDefault()
  const [box] = document.getElementsByName('q')
  if (box) box.focus()
  else location.assign('/search')
})
