/**
 * Makes the share link open the browser's share dialog, or copy the address where there is none. Where neither is
 * possible, the link stays what it is: an e-mail.
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
        // A closed dialog is a decision; after any other error, the address is copied.
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
