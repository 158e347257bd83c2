import type { Colour } from './colours.ts'

/** The colours of monsters, distinguishable with red-green colour blindness, too; their letters differ anyway. */
const hues: readonly Colour[] = [
  [224, 138, 104],
  [164, 150, 255],
  [150, 208, 124],
  [236, 190, 98],
  [126, 200, 226],
  [240, 128, 150],
  [200, 176, 140],
  [108, 214, 180],
]

const things: Readonly<Record<string, Colour>> = {
  $: [240, 192, 84],
  '!': [255, 132, 204],
  '?': [246, 240, 222],
  '/': [142, 190, 255],
  ')': [196, 206, 220],
  '[': [176, 190, 208],
  '(': [160, 226, 190],
  A: [255, 224, 130],
}

const asleep: Colour = [126, 124, 132]
const person: Colour = [255, 255, 255]
const agent: Colour = [116, 215, 255]

/** The colour of an item. */
export const thingColour = (glyph: string): Colour => things[glyph] ?? [170, 210, 250]

/** The colour of a player or monster; awake monsters are coloured by their letter. */
export function beingColour({ id, glyph, state }: { id: number; glyph: string; state: number }): Colour {
  if (id < 0) return state === 4 ? agent : person
  if (state === 0) return asleep
  return hues[glyph.charCodeAt(0) % hues.length] ?? person
}
