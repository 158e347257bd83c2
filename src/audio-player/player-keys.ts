/** The actions of the keys. */
export interface KeyHands {
  /** Whether the keys work now; closing the player turns them off. */
  isOn(): boolean
  /** Called with whether the reader allows keyboard shortcuts: now, and whenever that setting changes. */
  tell(areKeys: boolean): void
  toggle(): void
  /** Skips by these seconds; negative is back. */
  skip(seconds: number): void
}

/** Seconds that J and L skip. */
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
