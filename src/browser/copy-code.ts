/** Shows the copy buttons of code blocks, where the script may write to the clipboard. */
export function startCopying(page: Document): void {
  // Code that fits needs no tab stop for scrolling.
  const measure = (block: HTMLElement) => {
    block.tabIndex = block.scrollWidth > block.clientWidth ? 0 : -1
  }
  const fit = new ResizeObserver((changes) => {
    for (const { target } of changes) if (target instanceof HTMLElement) measure(target)
  })

  for (const button of page.querySelectorAll<HTMLButtonElement>('[data-copy]')) {
    const figure = button.closest('figure')
    // Lines that a diff removes are not copied.
    const lines = [...(figure?.querySelector('code')?.childNodes ?? [])].filter(({ nodeName }) => nodeName !== 'DEL')
    const code = lines.map(({ textContent }) => textContent).join('')
    const said = figure?.querySelector('[data-copy-said]')
    const block = figure?.querySelector('pre')
    if (block) {
      fit.observe(block)
      // A font that loads later changes the width of the text but not the size of the box.
      void page.fonts.ready.then(() => measure(block))
    }
    if (!code || !said || !navigator.clipboard) continue
    button.hidden = false
    const say = (word: string) => {
      button.textContent = word
      said.textContent = word
      setTimeout(() => {
        button.textContent = 'Copy'
        said.textContent = ''
      }, 2000)
    }
    button.addEventListener('click', () => {
      navigator.clipboard.writeText(code).then(
        () => say('Copied'),
        () => say('Not allowed'),
      )
    })
  }
}
