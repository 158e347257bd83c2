import { toCss } from './colours.ts'
import type { DungeonView } from './dungeon-view.ts'
import { beingColour } from './glyph-colours.ts'
import { makeElement } from './make-element.ts'
import { nameBeing } from './name-being.ts'

/** Lists who is in view, with how much is left of them. */
export function showInView(list: HTMLElement, view: DungeonView): void {
  const lines = view.beings.map((being) => {
    const glyph = makeElement('span', 'glyph', being.glyph)
    glyph.style.setProperty('--glyph', toCss(beingColour(being)))
    const health = makeElement('span', 'wounds', '▮'.repeat(being.health))
    health.setAttribute('role', 'img')
    health.setAttribute('aria-label', `${Math.round((being.health / 9) * 100)} % left`)
    return makeElement('li', '', glyph, makeElement('span', '', nameBeing(being, view)), health)
  })
  list.replaceChildren(...(lines.length > 0 ? lines : [makeElement('li', 'faded', 'nobody')]))
}
