import { beforeAll, describe, expect, it } from 'vitest'
import { type BotName, botNames } from '../../bench/game/bots/make-bot.ts'
import { playLives } from '../../bench/game/play-lives.ts'
import { mostOfOneCause, type Summary, summarizeLives } from '../../bench/game/summarize-lives.ts'
import { figure, limitMs } from '../support/figures.ts'

// Lives played by each bot. The usual run plays a hundred in all, most of them short.
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

  it('kills players who press random keys early', () => {
    expect(of('random').depths.median).toBeLessThanOrEqual(2)
    expect(of('random').wins).toBe(0)
  })

  it('lets skilled players get deeper', () => {
    expect(of('greedy').depths.median).toBeGreaterThan(of('random').depths.median + 1)
    expect(of('careful').depths.median).toBeGreaterThan(of('greedy').depths.median)
  })

  it('is survived now and then by careful players, but not regularly', () => {
    const { wins, lives: played } = of('careful')
    expect(wins / played).toBeLessThanOrEqual(figure(0.4, 0.05))
    expect(wins / played).toBeGreaterThanOrEqual(figure(0, 0.005))
  })

  it.each(botNames)('has no single cause of death that kills most: %s', (bot) => {
    const [commonest] = of(bot).causes
    expect(commonest?.share ?? 0).toBeLessThanOrEqual(figure(0.6, mostOfOneCause[bot]))
  })

  it('lets nearly every life come to an end', () => {
    const endless = botNames.flatMap((bot) => of(bot).causes.filter(({ cause }) => cause === 'gave up'))
    expect(endless.every(({ share }) => share < figure(0.1, 0.01))).toBe(true)
  })
})
