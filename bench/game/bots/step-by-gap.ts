import type { Observation } from '../../../game-server/core/observe.ts'
import type { Entity } from './bot.ts'

const steps: Readonly<Record<string, readonly [number, number]>> = {
  north: [0, -1],
  east: [1, 0],
  south: [0, 1],
  west: [-1, 0],
  northeast: [1, -1],
  southeast: [1, 1],
  southwest: [-1, 1],
  northwest: [-1, -1],
}

/** The move that leads closest to the nearest of `others`, or farthest away from it; undefined when no move does. */
export function stepByGap(
  { you, keys }: Observation,
  others: readonly Entity[],
  way: 'away' | 'near',
): string | undefined {
  const gapAt = (x: number, y: number) =>
    Math.min(...others.map((each) => Math.max(Math.abs(each.x - x), Math.abs(each.y - y))))
  const sign = way === 'away' ? 1 : -1
  let best: string | undefined
  let most = sign * gapAt(you.x, you.y)
  for (const { key, does } of keys) {
    const step = steps[key]
    if (!step || does !== 'move') continue
    const worth = sign * gapAt(you.x + step[0], you.y + step[1])
    if (worth <= most) continue
    most = worth
    best = key
  }
  return best
}
