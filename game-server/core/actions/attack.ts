import { distance, offsets } from '../grid.ts'
import { hurtMonster } from '../hurt-monster.ts'
import { wield } from '../items/gear.ts'
import { itemKind, kindNumber } from '../items/kinds.ts'
import { monsterAt } from '../monsters/is-visible.ts'
import { monsterKind } from '../monsters/kinds.ts'
import { engage } from '../place.ts'
import { quoteWords } from '../player-words.ts'
import { between, chance } from '../prng.ts'
import { type Scene, show, tell } from '../scene.ts'
import { turnsOf } from '../status.ts'
import type { Monster } from '../world.ts'

const usualAim = 88

/** An attack with the wielded weapon on a neighbouring monster, and on others that the weapon also reaches. */
export function attack(scene: Scene, monster: Monster): void {
  const { level, player } = scene
  const weapon = itemKind(player.weapon.kind).id
  const first = monster.cell
  strikeOne(scene, monster)
  if (weapon === 'axe') {
    for (const offset of offsets) {
      const other = player.cell + offset === first ? undefined : monsterAt(level, player.cell + offset)
      if (other && other.mood !== 'asleep' && !other.isHidden) strikeOne(scene, other)
    }
  }
  if (weapon === 'spear') {
    const behind = monsterAt(level, first + (first - player.cell))
    if (behind && !behind.isHidden) strikeOne(scene, behind)
  }
}

function strikeOne(scene: Scene, monster: Monster): void {
  const { player } = scene
  const kind = monsterKind(monster.kind)
  const id = itemKind(player.weapon.kind).id
  const { lo, hi, aim } = wield(player.weapon, player.strength)
  const isHelpless = monster.mood === 'asleep' || monster.stunned > 0
  if (!isHelpless && !chance(player.dice, usualAim + aim - kind.dodge)) {
    engage(monster, player)
    show(
      scene,
      'miss',
      monster.cell,
      `${quoteWords(player.name)} misses the ${kind.name}.`,
      `You miss the ${kind.name}.`,
    )
    return
  }
  const wasAsleep = monster.mood === 'asleep'
  const times = wasAsleep ? (id === 'dagger' || id === 'knife' ? 5 : 3) : 1
  const damage = between(player.dice, lo, hi) * times
  const verb = wasAsleep ? 'stab' : 'hit'
  const isDead = hurtMonster(
    scene,
    monster,
    damage,
    `${quoteWords(player.name)} ${verb}s the ${kind.name}`,
    `You ${verb} the ${kind.name}`,
  )
  if (!isDead && id === 'mace' && !kind.isStone && chance(player.dice, 30)) {
    monster.stunned = 2
    tell(scene, 'hit', `The ${kind.name} sees stars.`)
  }
}

/** A shot with the bow, or a thrown dart, of which the supply is unlimited. */
export function shoot(scene: Scene, monster: Monster): void {
  const { player } = scene
  const kind = monsterKind(monster.kind)
  const isBow = player.weapon.kind === kindNumber('bow')
  const { lo, hi } = isBow
    ? wield({ ...player.weapon, power: player.weapon.power + 1 }, player.strength)
    : { lo: 1, hi: 3 }
  const missile = isBow ? 'an arrow' : 'a dart'
  const aim = usualAim - 8 - 3 * distance(player.cell, monster.cell) - kind.dodge
  if (monster.mood !== 'asleep' && !chance(player.dice, turnsOf(player, 'blind') > 0 ? 30 : aim)) {
    engage(monster, player)
    show(
      scene,
      'miss',
      monster.cell,
      `${quoteWords(player.name)} sends ${missile} past the ${kind.name}.`,
      `You send ${missile} past the ${kind.name}.`,
    )
    return
  }
  hurtMonster(
    scene,
    monster,
    between(player.dice, lo, hi),
    `${quoteWords(player.name)} hits the ${kind.name} with ${missile}`,
    `You hit the ${kind.name} with ${missile}`,
  )
}
