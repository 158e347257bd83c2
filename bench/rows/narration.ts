import { randomInt } from 'node:crypto'
import { sandboxAccounts } from '../../src/config/sandbox-accounts.ts'
import { sign } from '../../tests/support/stock-client.ts'
import { cpuMicros } from '../cpu-time.ts'
import { measureWaits } from '../measure-waits.ts'
import type { Row, Sample } from '../row.ts'
import type { Server } from '../server.ts'
import { startOurSite } from '../start-our-site.ts'

const { privateKey } = sandboxAccounts.buyer
const path = '/api/x402/media/narrate'
const sentence =
  'A farthing was a quarter of a penny, and was nevertheless struck with care, because somebody would count it.'
const sentences = 20
const models = { hd: 'speech-2.8-hd', turbo: 'speech-2.8-turbo' } as const
const waits = 'wait for another route meanwhile, p99'
const perSecond = 50

const measureOf = (quality: string): string => `speech per second of CPU, ${quality}`

/** The cost of speech, and whether it slows down other requests. */
export const narration: Row = {
  title: 'Narration',
  meaning: `A text of ${sentence.length * sentences} characters is bought from the whole site program and read by the embedded engine, every round another one, so that nothing is remembered. *Speech per second of CPU* is the length of the MP3 over the processor time of all threads, payment included; *hd* is 48 kHz, *turbo* 24 kHz. Meanwhile \`/healthz\` is asked ${perSecond} times a second; its wait is that of the event loop, on a machine whose processors all speak. Five rounds.`,
  measures: [
    ...Object.keys(models).map((quality) => ({
      name: measureOf(quality),
      unit: 's',
      digits: 1,
      better: 'more' as const,
    })),
    { name: waits, unit: 'ms', digits: 1, limit: { is: 'at most', figure: 50 } },
  ],
  goals: [],
  mostRounds: 5,
  async start(bench) {
    const site = await startOurSite(bench)
    return { ours: () => measureNarration(site), peers: {} }
  },
}

async function measureNarration(site: Server): Promise<Sample> {
  const sample: Record<string, number> = {}
  const delays: number[] = []
  for (const [quality, model] of Object.entries(models)) {
    const before = cpuMicros(site.pid)
    let isOver = false
    const bought = buy(site, model).finally(() => {
      isOver = true
    })
    while (!isOver) delays.push(...(await measureWaits({ urls: [`${site.origin}/healthz`], perSecond, seconds: 0.5 })))
    sample[measureOf(quality)] = ((await bought) * 1e6) / (cpuMicros(site.pid) - before)
  }
  const sorted = delays.toSorted((a, b) => a - b)
  return { ...sample, [waits]: sorted[Math.floor(sorted.length * 0.99)] ?? Number.NaN }
}

/** Buys a narration; returns the seconds of speech delivered. */
async function buy({ origin }: Server, model: string): Promise<number> {
  // Every sentence is new, because spoken sentences are cached.
  const said = Array.from(
    { length: sentences },
    () => `Number ${randomInt(1e6)}. ${sentence.replace('penny', `penny ${randomInt(1e6)}`)}`,
  )
  const body = JSON.stringify({ text: said.join(' '), model })
  const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body }
  const { header } = await sign(origin + path, init, { privateKey })
  const answer = await fetch(origin + path, { ...init, headers: { ...init.headers, 'PAYMENT-SIGNATURE': header } })
  if (answer.status !== 200) throw new Error(`${path} answered a payment with ${answer.status}: ${await answer.text()}`)
  await answer.arrayBuffer()
  return Number(answer.headers.get('x-audio-duration-seconds'))
}
