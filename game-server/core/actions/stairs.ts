import { changeLevel } from '../change-level.ts'
import { deepest } from '../get-level.ts'
import { endFights, liftPlayer } from '../place.ts'
import { quoteWords } from '../player-words.ts'
import { type Scene, show, tell } from '../scene.ts'
import { T } from '../tiles.ts'
import { spend, travel } from './macros.ts'

/** Takes the stairs down, or travels to them. Returns the turns spent. */
export function goDown(scene: Scene): number {
  const { level, player } = scene
  if (level.depth === deepest) {
    tell(scene, 'info', 'There is nothing further down. This is it.')
    return 0
  }
  if (level.tiles[player.cell] !== T.stairsDown) return travel(scene, level.down, 'the stairs down')
  changeLevel(scene, level.depth + 1, ({ arrivals, up }) => arrivals[0] ?? up)
  return spend(scene, 1)
}

/** Takes the stairs up, or travels to them. From the first level they lead out of the dungeon with the Amulet. */
export function goUp(scene: Scene): number {
  const { world, level, player } = scene
  if (level.tiles[player.cell] !== T.stairsUp) return travel(scene, level.up, 'the stairs up')
  if (level.depth > 1) {
    changeLevel(scene, level.depth - 1, ({ returns, down }) => returns[0] ?? down)
    return spend(scene, 1)
  }
  if (!player.hasAmulet) {
    tell(scene, 'info', 'The way out stays shut until you carry the Amulet.')
    return 0
  }
  player.hasWon = true
  player.ending = 'escaped with the Amulet'
  player.turn++
  show(
    scene,
    'win',
    player.cell,
    `${quoteWords(player.name)} escapes with the Amulet!`,
    'Daylight. You have the Amulet, and your life.',
  )
  endFights(world, player)
  liftPlayer(world, player)
  return 1
}
