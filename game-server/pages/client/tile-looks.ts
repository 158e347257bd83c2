import type { Colour } from './colours.ts'

/** How a kind of ground is drawn. */
export interface TileLook {
  readonly ground: Colour
  readonly ink: Colour
  /** What is drawn instead of the glyph; nothing for masonry, which is drawn as blocks. */
  readonly drawn?: string
  /** Stands up and catches the light on its edge. */
  readonly isBlock?: true
  /** Moves a little. */
  readonly isLiquid?: true
}

const floor: Colour = [64, 49, 35]

/** By the glyph that the dungeon sends. Shape tells them apart; colour only helps. */
const looks: Readonly<Record<string, TileLook>> = {
  '#': { ground: [142, 106, 70], ink: [222, 178, 122], isBlock: true },
  '.': { ground: floor, ink: [148, 116, 82], drawn: '·' },
  '+': { ground: [92, 60, 30], ink: [240, 170, 92] },
  "'": { ground: floor, ink: [222, 154, 84], drawn: '∩' },
  '>': { ground: [74, 58, 34], ink: [255, 216, 124] },
  '<': { ground: [74, 58, 34], ink: [255, 216, 124] },
  '~': { ground: [22, 60, 92], ink: [112, 176, 226], isLiquid: true },
  '}': { ground: [12, 36, 78], ink: [96, 150, 226], drawn: '≈', isLiquid: true },
  '"': { ground: [34, 54, 24], ink: [124, 172, 84] },
  ';': { ground: [28, 62, 26], ink: [150, 204, 96] },
  '^': { ground: [72, 34, 28], ink: [255, 122, 98] },
  _: { ground: [58, 44, 72], ink: [206, 168, 255] },
  ',': { ground: floor, ink: [176, 164, 140] },
  '%': { ground: [24, 58, 56], ink: [110, 226, 196] },
  '=': { ground: [84, 58, 32], ink: [206, 156, 98] },
  '*': { ground: [70, 60, 104], ink: [206, 186, 255] },
  '0': { ground: floor, ink: [206, 200, 190] },
  ':': { ground: [14, 12, 18], ink: [96, 84, 110] },
}

const unknownLook: TileLook = { ground: floor, ink: [190, 180, 160] }

/** How the ground behind a glyph is drawn. */
export const lookOf = (glyph: string): TileLook => looks[glyph] ?? unknownLook
