/**
 * Makes the link that shares a page open what the browser has for it, or copy the address where it has nothing. Where
 * it may do neither, the link is what it was: an e-mail.
 */
export function startSharing(page: Document): void {
  for (const link of page.querySelectorAll<HTMLAnchorElement>('a[data-share]')) {
    const { share: url = page.URL, shareTitle: title = page.title } = link.dataset
    const said = link.parentElement?.querySelector('[role="status"]')
    const say = (word: string): void => {
      if (said) said.textContent = word
    }
    const copy = (): void => {
      navigator.clipboard.writeText(url).then(
        () => say('Address copied'),
        () => say('Not allowed'),
      )
    }
    link.addEventListener('click', (event) => {
      if ('share' in navigator) {
        event.preventDefault()
        // Who closes the dialog has decided; whatever else goes wrong, the address can still be had.
        navigator.share({ title, url }).catch((error: unknown) => {
          if (!(error instanceof DOMException && error.name === 'AbortError')) copy()
        })
      } else if ('clipboard' in navigator) {
        event.preventDefault()
        copy()
      }
    })
  }
}
