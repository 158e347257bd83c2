/** What the keys do. */
export interface KeyHands {
  /** While this says no, the page has all keys to itself: closing the player turns them off. */
  isOn(): boolean
  /** Told whether there are such keys at all, now and whenever the reader turns them off or on. */
  tell(areKeys: boolean): void
  toggle(): void
  /** Seconds ahead, or back. */
  skip(seconds: number): void
}

/** What J and L go over. */
export const skipSeconds = 10

const isTyping = 'textarea, select, [contenteditable], input:not([type="range"])'
const usesSpace = `${isTyping}, a, button, summary, audio`

/** Space and K play and pause, J goes back and L ahead, as in other players, unless the reader has turned such keys off. */
export function listenToKeys(page: Document, { isOn, tell, toggle, skip }: KeyHands): void {
  const root = page.documentElement
  const areKeys = () => root.dataset['keys'] !== 'off'
  const does: Readonly<Record<string, () => void>> = {
    ' ': toggle,
    k: toggle,
    j: () => skip(-skipSeconds),
    l: () => skip(skipSeconds),
  }
  page.addEventListener('keydown', (event) => {
    const act = does[event.key.toLowerCase()]
    if (!act || !areKeys() || !isOn() || event.defaultPrevented) return
    if (event.ctrlKey || event.metaKey || event.altKey) return
    if (event.target instanceof Element && event.target.closest(event.key === ' ' ? usesSpace : isTyping)) return
    event.preventDefault()
    act()
  })
  new MutationObserver(() => tell(areKeys())).observe(root, { attributeFilter: ['data-keys'] })
  tell(areKeys())
}
