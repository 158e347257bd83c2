import { height, width } from '../grid.ts'
import { below, between, chance } from '../prng.ts'
import { T } from '../tiles.ts'
import type { Draft } from './draft.ts'

const across = 18
const down = 8
const nodeCount = across * down

/** The Warrens: a maze of burrows between displaced grid nodes, with extra connections, and small dens. */
export function carveWarrens(draft: Draft): void {
  const { rng } = draft
  const knots: number[] = []
  for (let n = 0; n < nodeCount; n++) {
    const x = 5 + 4 * (n % across) + below(rng, 3)
    const y = 4 + 4 * Math.floor(n / across) + below(rng, 3)
    knots.push(y * width + x)
  }
  const isDug = new Uint8Array(nodeCount)
  const stack = [below(rng, nodeCount)]
  while (stack.length > 0) {
    const node = stack[stack.length - 1] ?? 0
    isDug[node] = 1
    const next = neighboursOf(node).filter((other) => isDug[other] === 0)
    const chosen = next[below(rng, next.length)]
    if (chosen === undefined) {
      // A dead end: half of them are connected; the others stay, and get an item, an ambush or rubble later.
      if (chance(rng, 50)) digBurrow(draft, knots, node, neighboursOf(node)[0])
      stack.pop()
      continue
    }
    digBurrow(draft, knots, node, chosen)
    stack.push(chosen)
  }
  for (let n = 0; n < nodeCount; n++) if (chance(rng, 22)) digBurrow(draft, knots, n, neighboursOf(n)[0])
  for (let dens = 0; dens < 13; dens++) digDen(draft, knots[below(rng, nodeCount)] ?? 0)
}

function neighboursOf(node: number): number[] {
  const x = node % across
  const around: number[] = []
  if (node + across < nodeCount) around.push(node + across)
  if (x < across - 1) around.push(node + 1)
  if (x > 0) around.push(node - 1)
  if (node >= across) around.push(node - across)
  return around
}

function digBurrow({ rng, tiles }: Draft, knots: readonly number[], a: number, b: number | undefined): void {
  const start = knots[a] ?? 0
  const end = knots[b ?? a] ?? 0
  let x = start % width
  let y = Math.floor(start / width)
  const endX = end % width
  const endY = Math.floor(end / width)
  tiles[start] = T.floor
  while (x !== endX || y !== endY) {
    const isAcross = y === endY || (x !== endX && chance(rng, 50))
    if (isAcross) x += Math.sign(endX - x)
    else y += Math.sign(endY - y)
    tiles[y * width + x] = T.floor
  }
}

function digDen({ rng, tiles }: Draft, middle: number): void {
  const radiusX = between(rng, 2, 4)
  const radiusY = between(rng, 1, 2)
  const reach = radiusX * radiusX * radiusY * radiusY
  for (let y = -radiusY; y <= radiusY; y++)
    for (let x = -radiusX; x <= radiusX; x++) {
      const cell = middle + y * width + x
      const isInside = cell % width > 1 && cell % width < width - 2 && cell > 2 * width && cell < (height - 2) * width
      if (isInside && (x * radiusY) ** 2 + (y * radiusX) ** 2 <= reach + radiusX) tiles[cell] = T.floor
    }
}
