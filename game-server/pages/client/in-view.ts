import { makeElement } from '../../../src/browser/make-element.ts'
import { monsterKinds } from '../../core/monsters/kinds.ts'
import { toCss } from './colours.ts'
import type { Being, DungeonView } from './dungeon-view.ts'
import { beingColour } from './glyph-colours.ts'

const monsterNames = new Map(monsterKinds.map(({ glyph, name }) => [glyph, name]))

/** Who somebody in view is: players by name, monsters by their letter, with what they are up to. */
function nameBeing({ id, glyph, state }: Being, { names, badges }: Pick<DungeonView, 'names' | 'badges'>): string {
  if (id < 0) {
    const parts = [names.get(id) ?? 'somebody', state === 4 ? 'agent' : '', badges.get(id) ?? '']
    return parts.filter((part) => part !== '').join(', ')
  }
  const name = monsterNames.get(glyph) ?? 'something'
  return state === 0 ? `${name}, asleep` : name
}

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
