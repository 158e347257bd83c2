import { fall } from '../change-level.ts'
import { changeTile } from '../change-tile.ts'
import { distance } from '../grid.ts'
import { afflict, hurtPlayer } from '../hurt-player.ts'
import { reveal } from '../known-cells.ts'
import type { TrapKind } from '../levels/level-plan.ts'
import { monsterKind } from '../monsters/kinds.ts'
import { engage, freeCellAnywhere, movePlayer } from '../place.ts'
import { quoteWords } from '../player-words.ts'
import { between } from '../prng.ts'
import { type Scene, show } from '../scene.ts'
import { T } from '../tiles.ts'

/** "a dart trap", "an alarm trap". */
export const trapName = (kind: TrapKind): string => `${kind === 'alarm' ? 'an' : 'a'} ${kind} trap`

/** The effect of a trap on the player who steps on it. The trap becomes visible to all players. */
export function springTrap(scene: Scene): void {
  const { level, player } = scene
  const kind = level.traps.get(player.cell) ?? 'dart'
  changeTile(level, player.cell, T.knownTrap)
  show(
    scene,
    'trap',
    player.cell,
    `${quoteWords(player.name)} steps on ${trapName(kind)}.`,
    `You step on ${trapName(kind)}.`,
  )
  switch (kind) {
    case 'dart':
      hurtPlayer(scene, between(player.dice, 2, 4), 'killed by a dart trap')
      afflict(scene, 'poisoned', 4)
      return
    case 'gas':
      afflict(scene, 'confused', 6)
      return
    case 'net':
      afflict(scene, 'stuck', 4)
      return
    case 'fire':
      hurtPlayer(scene, between(player.dice, 2, 4), 'burned to death')
      afflict(scene, 'burning', 3)
      return
    case 'alarm':
      raiseAlarm(scene, 20)
      return
    case 'teleport':
      movePlayer(scene, freeCellAnywhere(scene))
      reveal(level, player)
      return
    case 'trapdoor':
      fall(scene)
      return
  }
}

/** Makes all monsters within `reach` hunt the player, except hidden kinds and those of stone. */
export function raiseAlarm(scene: Scene, reach: number): void {
  const { level, player } = scene
  for (const monster of level.monsters) {
    const { isStone, hides } = monsterKind(monster.kind)
    if (isStone || hides || distance(monster.cell, player.cell) > reach) continue
    engage(monster, player)
  }
}
