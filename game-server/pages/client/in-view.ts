import { makeElement } from '../../../src/browser/make-element.ts'
import { compass, distance } from '../../core/grid.ts'
import { monsterKinds } from '../../core/monsters/kinds.ts'
import { type Colour, toCss } from './colours.ts'
import type { Being, DungeonView, Thing } from './dungeon-view.ts'
import { beingColour, thingColour } from './glyph-colours.ts'

const monsterNames = new Map(monsterKinds.map(({ glyph, name }) => [glyph, name]))

/** Describes a being: players by name and badges, monsters by the name for their letter and their mood. */
function nameBeing({ id, glyph, state }: Being, { names, badges, doings }: DungeonView): string {
  if (id < 0) {
    const parts = [names.get(id) ?? 'somebody', state === 4 ? 'agent' : '', badges.get(id) ?? '']
    return parts.filter((part) => part !== '').join(', ')
  }
  const name = monsterNames.get(glyph) ?? 'something'
  return `${name}, ${doings.get(id) ?? states[state] ?? ''}`
}

const states = ['asleep', 'idle', 'hunting you']

/** Describes an item with its position, so that items with the same glyph can be told apart. */
function nameThing({ cell }: Thing, view: DungeonView): string {
  const { name = 'something', isChoice = false } = view.labels.get(cell) ?? {}
  const gap = distance(view.cell, cell)
  const place = gap === 0 ? 'here' : `${gap} ${compass(view.cell, cell)}`
  return `${name}, ${place}${isChoice ? '; take one of several' : ''}`
}

function makeGlyph(sign: string, colour: Colour): HTMLElement {
  const glyph = makeElement('span', 'glyph', sign)
  glyph.style.setProperty('--glyph', toCss(colour))
  return glyph
}

/** Lists the beings in view with their health, and then the items in sight, the nearest first. */
export function showInView(list: HTMLElement, view: DungeonView): void {
  const beings = view.beings.map((being) => {
    const health = makeElement('span', 'wounds', '▮'.repeat(being.health))
    health.setAttribute('role', 'img')
    health.setAttribute('aria-label', `${Math.round((being.health / 9) * 100)} % left`)
    const glyph = makeGlyph(being.glyph, beingColour(being))
    return makeElement('li', '', glyph, makeElement('span', '', nameBeing(being, view)), health)
  })
  const things = view.things
    .filter(({ cell }) => view.lit[cell] === 1)
    .toSorted((a, b) => distance(view.cell, a.cell) - distance(view.cell, b.cell))
    .map((thing) => {
      const glyph = makeGlyph(thing.glyph, thingColour(thing.glyph))
      return makeElement('li', '', glyph, makeElement('span', '', nameThing(thing, view)))
    })
  const lines = [...beings, ...things]
  list.replaceChildren(...(lines.length > 0 ? lines : [makeElement('li', 'faded', 'nobody and nothing')]))
}
