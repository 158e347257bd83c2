import { setTimeout as delay } from 'node:timers/promises'
import { askRepeatedly } from './ask-repeatedly.ts'
import { measureWaits } from './measure-waits.ts'
import type { Measure, Sample } from './row.ts'

const perSecond = 200
/**
 * The steady rounds are longer by this factor: p99 needs a thousand queries, or the slowest ten would be accidental.
 */
const streams = 5
/** Pause before a round, so that clean-up of the server before does not take processor time from this one. */
const restMs = 1000
/** How long a slow engine may take to finish the queries of its round. */
const longestMs = 120_000
const connections = 4
const slowest = `p99 at ${perSecond}/s`

/** The measures of `measureSearch`. */
export const searchMeasures: readonly Measure[] = [
  { name: 'queries', unit: '/s', digits: 0 },
  { name: `p50 at ${perSecond}/s`, unit: 'ms', digits: 2 },
  { name: slowest, unit: 'ms', digits: 2, limit: { is: 'at most', figure: 20 } },
]

/** How these figures are measured, for readers who do not know the code. */
export const searchMeaning = `*queries* is what ${connections} connections get. *p50* and *p99* are from the moment a query was due, at ${perSecond} a second whether or not the ones before it are answered; what is not answered a second after the round counts with the time it has waited. The next one has its round when a server has ended what it was asked.`

/** Puts a search under load for one round: first at full speed, then at a steady pace. */
export async function measureSearch(urls: readonly string[], seconds: number): Promise<Sample> {
  await delay(restMs)
  const { answers, ...measured } = await askRepeatedly({ urls, status: 200, connections, ms: seconds * 1000 })
  const waits = await measureWaits({ urls, perSecond, seconds: seconds * streams })
  // A slow engine may still have up to 64 abandoned queries in its queue; this one is answered after them.
  await fetch(urls[0] ?? '', { signal: AbortSignal.timeout(longestMs) }).then((answer) => answer.text())
  const quantile = (part: number) => waits[Math.min(waits.length - 1, Math.floor(waits.length * part))] ?? Number.NaN
  return {
    queries: answers / measured.seconds,
    [`p50 at ${perSecond}/s`]: quantile(0.5),
    [slowest]: quantile(0.99),
  }
}
