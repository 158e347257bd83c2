/** Shows the buttons that copy the code beside them, where a script may write to the clipboard. */
export function startCopying(page: Document): void {
  // Code that fits in its place needs no stop of the Tab key.
  const measure = (block: HTMLElement) => {
    block.tabIndex = block.scrollWidth > block.clientWidth ? 0 : -1
  }
  const fit = new ResizeObserver((changes) => {
    for (const { target } of changes) if (target instanceof HTMLElement) measure(target)
  })

  for (const button of page.querySelectorAll<HTMLButtonElement>('[data-copy]')) {
    const figure = button.closest('figure')
    // What a change takes away is not wanted by who copies its outcome.
    const lines = [...(figure?.querySelector('code')?.childNodes ?? [])].filter(({ nodeName }) => nodeName !== 'DEL')
    const code = lines.map(({ textContent }) => textContent).join('')
    const said = figure?.querySelector('[data-copy-said]')
    const block = figure?.querySelector('pre')
    if (block) {
      fit.observe(block)
      // A face that comes later is wider or narrower, in a box of the same size.
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
