import type { Bot } from './bot.ts'
import { makeCarefulBot } from './careful.ts'
import { makeGreedyBot } from './greedy.ts'
import { makeRandomBot } from './random.ts'

/** The bots, from the least to the most skilled. */
export const botNames = ['random', 'greedy', 'careful'] as const

export type BotName = (typeof botNames)[number]

const makers: Record<BotName, (seed: string) => Bot> = {
  random: makeRandomBot,
  greedy: makeGreedyBot,
  careful: makeCarefulBot,
}

/** A bot that plays the same life whenever it is given the same seed and world. */
export const makeBot = (name: BotName, seed: string): Bot => makers[name](seed)
