// `node bench/game/main.ts --lives 1000` lets bots play; with at least 1,000 lives it writes
// docs/undercroft-balance.md.
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { toBalancePage } from './balance-page.ts'
import { botNames } from './bots/make-bot.ts'
import { toCauseChart } from './cause-chart.ts'
import { playLives } from './play-lives.ts'
import { toReachChart } from './reach-chart.ts'
import { mostOfOneCause, summarizeLives } from './summarize-lives.ts'

const { values } = parseArgs({ options: { lives: { type: 'string', default: '100' } } })
const lives = Number(values.lives)
if (!Number.isInteger(lives) || lives < 1) throw new Error('--lives takes a whole number above 0')

const summaries = []
for (const bot of botNames) {
  const started = Date.now()
  summaries.push(summarizeLives(bot, await playLives(bot, lives)))
  console.log(`${bot}: ${lives} lives in ${((Date.now() - started) / 1000).toFixed(0)} s`)
}
const date = new Date().toISOString().slice(0, 10)
const page = toBalancePage(summaries, { date, lives, limits: mostOfOneCause })
console.log(page)
if (lives >= 1000) {
  const docs = fileURLToPath(new URL('../../docs/', import.meta.url))
  writeFileSync(`${docs}undercroft-balance.md`, page)
  writeFileSync(`${docs}undercroft-depths.svg`, toReachChart(summaries))
  writeFileSync(`${docs}undercroft-causes.svg`, toCauseChart(summaries, mostOfOneCause))
}
