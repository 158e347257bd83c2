import { beforeAll, describe, expect, it } from 'vitest'
import { type BotName, botNames } from '../../bench/game/bots/make-bot.ts'
import { playLives } from '../../bench/game/play-lives.ts'
import { mostOfOneCause, type Summary, summarizeLives } from '../../bench/game/summarize-lives.ts'
import { figure, limitMs } from '../support/figures.ts'

// A hundred lives in the usual run, most of them short ones.
const lives: Record<BotName, number> = { random: figure(85, 1000), greedy: figure(10, 1000), careful: figure(5, 1000) }
const summaries = new Map<BotName, Summary>()

const of = (bot: BotName): Summary => {
  const summary = summaries.get(bot)
  if (!summary) throw new Error(`${bot} has not played`)
  return summary
}

describe('the Undercroft', () => {
  beforeAll(
    async () => {
      for (const bot of botNames) summaries.set(bot, summarizeLives(bot, await playLives(bot, lives[bot])))
    },
    limitMs(600_000, 1_800_000),
  )

  it('kills whoever presses anything early', () => {
    expect(of('random').depths.median).toBeLessThanOrEqual(2)
    expect(of('random').wins).toBe(0)
  })

  it('lets skill get deeper', () => {
    expect(of('greedy').depths.median).toBeGreaterThan(of('random').depths.median + 1)
    expect(of('careful').depths.median).toBeGreaterThan(of('greedy').depths.median)
  })

  it('is got out of now and then by who takes care, and never as a matter of course', () => {
    const { wins, lives: played } = of('careful')
    expect(wins / played).toBeLessThanOrEqual(figure(0.4, 0.05))
    expect(wins / played).toBeGreaterThanOrEqual(figure(0, 0.005))
  })

  it.each(botNames)('kills by no one thing alone: %s', (bot) => {
    const [commonest] = of(bot).causes
    expect(commonest?.share ?? 0).toBeLessThanOrEqual(figure(0.6, mostOfOneCause[bot]))
  })

  it('walls nobody in: a life comes to an end', () => {
    const endless = botNames.flatMap((bot) => of(bot).causes.filter(({ cause }) => cause === 'gave up'))
    expect(endless.every(({ share }) => share < figure(0.1, 0.01))).toBe(true)
  })
})
