import { type Bindings, isLetterKey } from './bindings.ts'

interface Options {
  readonly bindings: Bindings
  /** Whether the map is shown, so that keys go to the game. */
  readonly isShown: () => boolean
  /** Whether letters, digits and signs are keys of the game. */
  readonly hasLetterKeys: () => boolean
  readonly press: (key: string) => void
  readonly openMenu: () => void
}

/** Takes key presses on the page as keys of the game, except those that belong to the browser or to a control. */
export function listenToKeyboard({ bindings, isShown, hasLetterKeys, press, openMenu }: Options): void {
  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !isShown() || document.querySelector('dialog[open]')) return
    if (event.target instanceof HTMLInputElement || (!hasLetterKeys() && isLetterKey(event))) return
    const isOnControl = event.target instanceof Element && event.target.closest('button, a')
    if (isOnControl && /^(Enter| |Tab)$/.test(event.key)) return
    if (scrolls(event)) return
    const key = bindings.find(event)
    if (key === undefined && event.key !== 'm') return
    event.preventDefault()
    if (key === undefined) openMenu()
    else press(key)
  })
}

/** Whether a key scrolls the focused list. Keyboard users have no other way to see the rest of it. */
const scrolls = ({ key, target }: KeyboardEvent): boolean =>
  /^(?:Arrow(?:Up|Down|Left|Right)|Page(?:Up|Down)|Home|End| )$/.test(key) &&
  target instanceof HTMLElement &&
  target.matches('[data-log], [data-in-view]') &&
  [target, target.parentElement].some((box) => box && isLargerThanShown(box))

const isLargerThanShown = (box: HTMLElement): boolean =>
  box.scrollHeight > box.clientHeight || box.scrollWidth > box.clientWidth
