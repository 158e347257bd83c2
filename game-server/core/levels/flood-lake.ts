import { height, width } from '../grid.ts'
import { between } from '../prng.ts'
import { T } from '../tiles.ts'
import type { Draft } from './draft.ts'

/** Puts a lake over floor and rock: three overlapping ellipses, deep inside and shallow at the shore. */
export function floodLake({ rng, tiles, taken }: Draft, size: number): void {
  const middleX = between(rng, 14, width - 15)
  const middleY = between(rng, 9, height - 10)
  for (let part = 0; part < 3; part++) {
    const x = middleX + between(rng, -size, size)
    const y = middleY + between(rng, -2, 2)
    const radiusX = between(rng, size - 1, size + 3)
    const radiusY = between(rng, 3, 2 + (size >> 1))
    for (let dy = -radiusY - 1; dy <= radiusY + 1; dy++)
      for (let dx = -radiusX - 1; dx <= radiusX + 1; dx++) {
        const column = x + dx
        const row = y + dy
        if (column < 3 || row < 3 || column > width - 4 || row > height - 4) continue
        const cell = row * width + column
        if (taken[cell] === 1 || tiles[cell] === T.deepWater) continue
        const isInside = (dx * radiusY) ** 2 + (dy * radiusX) ** 2 < (radiusX * radiusY) ** 2
        const isShore =
          !isInside && (dx * (radiusY + 1)) ** 2 + (dy * (radiusX + 1)) ** 2 < ((radiusX + 1) * (radiusY + 1)) ** 2
        if (isInside) tiles[cell] = T.deepWater
        else if (isShore && tiles[cell] !== T.wall) tiles[cell] = T.water
      }
  }
}
