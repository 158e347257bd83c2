import { makeRng, pick } from '../../../game-server/core/prng.ts'
import { type Bot, can, isStone, keyThat, threatsOf } from './bot.ts'
import { stepByGap } from './step-by-gap.ts'

const mostShots = 6

/**
 * Makes a bot that plays like a hasty player: it hits what is near, shoots what is far, drinks when it is hurt, tries
 * every item, explores a level and takes the stairs. It never rests, flees or saves items.
 */
export function makeGreedyBot(seed: string): Bot {
  const rng = makeRng(seed, 'greedy bot')
  const tried = new Set<string>()
  let shots = 0
  return (seen) => {
    const { you, keys } = seen
    const healing = keyThat(seen, /^drink (\d+ x )?potion of healing/)
    if (you.hp * 3 < you.maxHp && healing) return healing
    const threats = threatsOf(seen)
    const enemies = threats.filter((each) => !isStone(each))
    if (enemies.length > 0) {
      const blow = keyThat(seen, /^attack (?!guardian)/)
      if (blow) return blow
      const shot = keyThat(seen, /^shoot at (?!guardian)/)
      shots = shots > 2 * mostShots ? 0 : shots + 1
      const charge = shots > mostShots ? stepByGap(seen, enemies, 'near') : undefined
      const deed = charge ?? shot
      if (deed) return deed
    }
    const away = stepByGap(seen, threats.filter(isStone), 'away')
    if (threats.some(isStone) && away) return away
    const untried = keys.find(({ key, does }) => {
      if (key.length > 1 || tried.has(does)) return false
      return /^(drink|read|wield|wear)/.test(does) && !does.includes('healing')
    })
    if (untried) {
      // Gear is tried once; potions and scrolls are consumed anyway.
      if (/^(wield|wear)/.test(untried.does)) tried.add(untried.does)
      return untried.key
    }
    for (const key of you.hasAmulet ? ['<'] : ['o', '>']) if (can(seen, key)) return key
    const harmless = keys.filter(({ key, does }) => key !== 'look' && does !== 'attack guardian')
    return pick(rng, harmless).key
  }
}
