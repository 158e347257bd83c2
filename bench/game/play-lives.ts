import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { z } from 'zod'
import type { BotName } from './bots/make-bot.ts'
import { Life } from './life.ts'

/** Fewest lives per thread; for fewer, another thread costs more than it saves. */
const leastShare = 80

/** Plays a number of lives of a bot on all cores. The seeds are always the same. */
export async function playLives(bot: BotName, lives: number): Promise<Life[]> {
  const seeds = Array.from({ length: lives }, (_, n) => `life-${n}`)
  const share = Math.max(leastShare, Math.ceil(lives / availableParallelism()))
  const parts: string[][] = []
  for (let start = 0; start < lives; start += share) parts.push(seeds.slice(start, start + share))
  const played = parts.map(async (part): Promise<Life[]> => {
    const worker = new Worker(new URL('./life-worker.ts', import.meta.url), { workerData: { bot, seeds: part } })
    const [lived] = await once(worker, 'message')
    return z.array(Life).parse(lived)
  })
  return (await Promise.all(played)).flat()
}
