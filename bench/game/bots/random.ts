import { makeRng, pick } from '../../../game-server/core/prng.ts'
import type { Bot } from './bot.ts'

/** Makes a bot that presses a random key that does something. */
export function makeRandomBot(seed: string): Bot {
  const rng = makeRng(seed, 'random bot')
  return ({ keys }) =>
    pick(
      rng,
      keys.filter(({ key }) => key !== 'look'),
    ).key
}
