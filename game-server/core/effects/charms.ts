import { cellCount, distance, offsetOf } from '../grid.ts'
import { afflict, heal } from '../hurt-player.ts'
import { knownOn, markKnown, reveal } from '../known-cells.ts'
import { isFree, movePlayer } from '../place.ts'
import { type Scene, tell } from '../scene.ts'
import { uncover } from '../search.ts'
import { frighten } from './scrolls.ts'

interface Charm {
  /** Turns until it can be used again. */
  readonly rest: number
  readonly use: (scene: Scene) => void
}

/** Moves the player up to five steps along the straight line that leads farthest. */
function blink(scene: Scene): void {
  const { level, player } = scene
  let best = player.cell
  for (let direction = 0; direction < 8; direction++) {
    let cell = player.cell
    for (let step = 0; step < 5 && isFree(level, cell + offsetOf(direction)); step++) cell += offsetOf(direction)
    if (distance(cell, player.cell) > distance(best, player.cell)) best = cell
  }
  movePlayer(scene, best)
  reveal(level, player)
  tell(scene, 'use', 'You are a few steps further on.')
}

const reach = 12

function lightUp(scene: Scene): void {
  const { level, player } = scene
  const known = knownOn(player, level.depth)
  for (let cell = 0; cell < cellCount; cell++) {
    if (distance(cell, player.cell) > reach) continue
    uncover(scene, cell)
    markKnown(known, cell)
  }
  tell(scene, 'use', 'For a moment the stone is glass.')
}

/** The effect of each charm, and the turns until it can be used again. */
export const charms: Record<string, Charm> = {
  mending: {
    rest: 150,
    use: (scene) => {
      heal(scene, 12)
      tell(scene, 'use', 'The charm closes what was open.')
    },
  },
  blinking: { rest: 60, use: blink },
  warding: { rest: 150, use: (scene) => afflict(scene, 'shielded', 10) },
  fright: { rest: 200, use: frighten },
  lantern: { rest: 120, use: lightUp },
  echo: { rest: 150, use: (scene) => afflict(scene, 'telepathic', 15) },
}
