import { parentPort, workerData } from 'node:worker_threads'
import { z } from 'zod'
import { botNames, makeBot } from './bots/make-bot.ts'
import { playLife } from './play-life.ts'

const { bot, seeds } = z.object({ bot: z.enum(botNames), seeds: z.array(z.string()) }).parse(workerData)

parentPort?.postMessage(seeds.map((seed) => playLife(makeBot(bot, seed), seed)))
