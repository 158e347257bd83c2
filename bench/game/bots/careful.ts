import type { Observation } from '../../../game-server/core/observe.ts'
import { makeRng, pick } from '../../../game-server/core/prng.ts'
import { type Bot, can, type Entity, isStone, keyThat, threatsOf } from './bot.ts'
import { gearWorth } from './gear-worth.ts'
import { stepByGap } from './step-by-gap.ts'

/** Monsters that are better shot from a distance; the bot steps back from them. */
const keptAway = /^(bloat|fuse beetle)$/
const slow = /^(bloat|zombie|ogre|gazer|centipede|Foreman)$/
/** Monsters against which the bot uses its wands at once. */
const dangerous =
  /^(ogre|troll|drake|wraith|gazer|necromancer|receiver|bailiff|Alderman|Foreman|Tallyman|goblin archer|hedge witch|phantom|spider|skeleton)$/
const escapes =
  /^(read scroll of (elsewhere|slumber|dread)|zap wand of (away|frost|sloth)|use (mending|fright|blinking|warding) charm)/
const unknown = /^(read|drink|zap) (?!.*(potion|scroll|wand)s? of )/
const strikes = /^zap wand of (force|flame|leech|frost|sloth)/

/**
 * Makes a bot that plays like a patient player who has read the manual: it rests, wears the better gear, tries unknown
 * items while no monster is near, keeps potions for emergencies, steps back from slow monsters, and flees while it can.
 */
export function makeCarefulBot(seed: string): Bot {
  const rng = makeRng(seed, 'careful bot')
  const fight = makeFighter()
  return (seen) => {
    const threats = threatsOf(seen)
    const deed = threats.length > 0 ? fight(seen, threats) : (tidy(seen) ?? goOn(seen))
    const harmless = seen.keys.filter(({ key, does }) => key !== 'look' && does !== 'attack guardian')
    return deed ?? pick(rng, harmless).key
  }
}

const isLow = ({ you }: Observation, percent: number): boolean => you.hp * 100 < you.maxHp * percent

/** What to do while no monster is a threat. */
function tidy(seen: Observation): string | undefined {
  const { you, keys } = seen
  const enchanting = keyThat(
    seen,
    /^read (\d+ x )?scroll of (enchanting|the edge|the mail)|^drink (\d+ x )?potion of (life|strength)/,
  )
  if (enchanting) return enchanting
  for (const { key, does } of keys) {
    const [, verb, name = ''] = does.match(/^(wield|wear) ([^(]*?)(?: \(.*)?$/) ?? []
    const place = verb === 'wield' ? 'weapon' : 'armour'
    if (verb && gearWorth(place, name) > gearWorth(place, verb === 'wield' ? you.weapon : you.armor)) return key
  }
  const isIll = you.statuses.some(({ name }) => ['poisoned', 'confused', 'blind', 'slowed', 'burning'].includes(name))
  if ((isLow(seen, 75) || isIll) && can(seen, 'R')) return 'R'
  // Unknown items may be harmful, so they are tried early and in good health.
  const isHealthy = !isLow(seen, 85)
  return isHealthy ? keyThat(seen, /^(drink|read) (?!.*(potion|scroll)s? of )/) : undefined
}

/** Goes on: explores the level, then descends; attacks a sleeping monster only if it blocks the only way. */
function goOn(seen: Observation): string | undefined {
  const order = seen.you.hasAmulet ? ['<', 'o'] : ['o', '>']
  const sleepers = seen.entities.filter(({ st }) => st === 'asleep')
  return (
    order.find((key) => can(seen, key)) ??
    keyThat(seen, /^attack (?!guardian)/) ??
    (sleepers.length > 0 ? stepByGap(seen, sleepers, 'near') : undefined)
  )
}

function makeFighter(): (seen: Observation, threats: readonly Entity[]) => string | undefined {
  let shots = 0
  return (seen, threats) => {
    const enemies = threats.filter((each) => !isStone(each))
    const near = enemies.filter(({ dist }) => dist === 1)
    if (enemies.length === 0) return stepByGap(seen, threats, 'away') ?? goOn(seen)
    const emergency = isLow(seen, 45) ? findHelp(seen, near.length > 0) : undefined
    if (emergency) return emergency
    const worst = enemies.find(({ name }) => dangerous.test(name))
    const strike =
      worst || enemies.length > 2 ? (keyThat(seen, strikes) ?? keyThat(seen, /^zap (?!wand of )/)) : undefined
    if (strike) return strike
    const kept = near.filter(({ name }) => keptAway.test(name))
    const away =
      kept.length > 0 || near.every(({ name }) => slow.test(name)) ? stepByGap(seen, near, 'away') : undefined
    if (near.length > 0 && away && shots < 12) {
      shots++
      return away
    }
    if (near.length > 0) {
      shots = 0
      return keyThat(seen, /^attack (?!guardian)/)
    }
    shots++
    if (shots > 14) {
      if (shots > 24) shots = 0
      const charge = stepByGap(seen, enemies, 'near')
      if (charge) return charge
    }
    return keyThat(seen, /^shoot at (?!guardian)/) ?? stepByGap(seen, enemies, 'near') ?? '.'
  }
}

/** The best help in an emergency: items known to help, then the stairs, then unknown items. */
function findHelp(seen: Observation, isBeset: boolean): string | undefined {
  const isDire = isLow(seen, 30)
  const onStairs = seen.keys.find(({ does }) => does === 'descend' || does === 'climb')?.key
  return (
    (isBeset ? keyThat(seen, escapes) : undefined) ??
    keyThat(seen, /^drink (\d+ x )?potion of healing/) ??
    onStairs ??
    (isDire ? keyThat(seen, unknown) : undefined)
  )
}
