import { makeElement } from '../../../src/browser/make-element.ts'
import { toCss } from './colours.ts'
import { thingColour } from './glyph-colours.ts'
import type { PackItem } from './read-frame.ts'

/** Lists the pack with a button for each item. Keyboard focus stays at the same position of the list. */
export function showPack(list: HTMLElement, pack: readonly PackItem[], press: (key: string) => void): void {
  const lines = pack.map(({ key, glyph, name }) => {
    const sign = makeElement('span', 'glyph', glyph)
    sign.style.setProperty('--glyph', toCss(thingColour(glyph)))
    sign.setAttribute('aria-hidden', 'true')
    const button = makeElement('button', '', makeElement('span', 'slot', key), sign, makeElement('span', '', name))
    button.type = 'button'
    button.addEventListener('click', () => press(key))
    return makeElement('li', '', button)
  })
  const buttons = () => [...list.querySelectorAll('button')]
  // After a click with the mouse, the focus is dropped, so that keys go to the dungeon again.
  const place = buttons().findIndex((button) => button.matches(':focus-visible'))
  list.replaceChildren(...(lines.length > 0 ? lines : [makeElement('li', 'faded', 'nothing')]))
  const now = buttons()
  if (place >= 0) now[Math.min(place, now.length - 1)]?.focus()
}
