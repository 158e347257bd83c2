import { offsets } from '../grid.ts'
import { hurtMonster } from '../hurt-monster.ts'
import { afflict, heal } from '../hurt-player.ts'
import { knownOn, markKnown } from '../known-cells.ts'
import { monsterAt } from '../monsters/is-visible.ts'
import { monsterKind } from '../monsters/kinds.ts'
import { between } from '../prng.ts'
import { type Scene, tell } from '../scene.ts'
import { ailments, setTurns } from '../status.ts'
import type { Player } from '../world.ts'

/** Ends all ailments of a player. */
export function cure(player: Player): void {
  for (const ailment of ailments) setTurns(player, ailment, 0)
}

function burst(scene: Scene): void {
  const { level, player } = scene
  tell(scene, 'use', 'It is on fire, and now so is everything.')
  for (const offset of offsets) {
    const monster = monsterAt(level, player.cell + offset)
    if (!monster) continue
    const { name } = monsterKind(monster.kind)
    hurtMonster(scene, monster, between(player.dice, 8, 14), `The fire burns the ${name}`)
  }
  afflict(scene, 'burning', 3)
}

function smellGold(scene: Scene): void {
  const { level, player } = scene
  const known = knownOn(player, level.depth)
  for (const cell of level.piles.keys()) markKnown(known, cell)
  tell(scene, 'use', 'You know where everything is. It calls to you.')
}

/** The effect of each potion on the player who drinks it. */
export const potions: Record<string, (scene: Scene) => void> = {
  healing: (scene) => {
    cure(scene.player)
    heal(scene, 20 + Math.floor(scene.player.maxHp / 4))
    tell(scene, 'use', 'Warmth, from the inside.')
  },
  life: (scene) => {
    cure(scene.player)
    scene.player.maxHp += 10
    heal(scene, scene.player.maxHp)
    tell(scene, 'use', 'More of you than before.')
  },
  strength: (scene) => {
    scene.player.strength += 1
    tell(scene, 'use', 'The walls look thinner.')
  },
  telepathy: (scene) => afflict(scene, 'telepathic', 80),
  feathers: (scene) => afflict(scene, 'floating', 25),
  haste: (scene) => afflict(scene, 'hasted', 20),
  fire: burst,
  venom: (scene) => afflict(scene, 'poisoned', 8),
  muddle: (scene) => afflict(scene, 'confused', 8),
  ink: (scene) => afflict(scene, 'blind', 20),
  stone: (scene) => afflict(scene, 'shielded', 25),
  greed: smellGold,
}
