import { findTarget } from '../find-threat.ts'
import { directions } from '../grid.ts'
import { type Scene, tell } from '../scene.ts'
import { searchBeside } from '../search.ts'
import { shoot } from './attack.ts'
import { commune } from './commune.ts'
import { explore, goToItem, rest, search, spend } from './macros.ts'
import { slotKeys } from './pick-up.ts'
import { goDown, goUp } from './stairs.ts'
import { swapItem } from './swap-item.ts'
import { useSlot } from './use-slot.ts'
import { walk } from './walk.ts'

/** Carries out a key. Returns the turns spent: 0 if it is not possible now; undefined if there is no such key. */
export function press(scene: Scene, key: string): number | undefined {
  const direction = directions.indexOf(key)
  if (direction >= 0) return spend(scene, walk(scene, direction))
  const slot = slotKeys.indexOf(key)
  if (slot >= 0) return spend(scene, useSlot(scene, slot))
  switch (key) {
    case '.':
      searchBeside(scene, 30)
      return spend(scene, 1)
    case 'f':
      return spend(scene, fire(scene))
    case 'c':
      return spend(scene, commune(scene))
    case 'x':
      return spend(scene, swapItem(scene))
    case 'o':
      return explore(scene)
    case 'g':
      return goToItem(scene)
    case 'R':
      return rest(scene)
    case 'S':
      return search(scene)
    case '>':
      return goDown(scene)
    case '<':
      return goUp(scene)
    case 'look':
      return 0
    default:
      return undefined
  }
}

function fire(scene: Scene): number {
  const target = findTarget(scene.level, scene.player)
  if (!target) {
    tell(scene, 'info', 'There is nobody to aim at.')
    return 0
  }
  shoot(scene, target)
  return 1
}
