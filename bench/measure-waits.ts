import { Agent, get } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'

interface Wish {
  /** Requested in turn; each must be answered with status 200. */
  readonly urls: readonly string[]
  readonly perSecond: number
  readonly seconds: number
}

/** Most connections. A server that keeps up needs fewer; a request without a free one waits, and that time counts. */
const connections = 64
/** How long after the round requests may take; after that they count with the time they have waited. */
const graceMs = 1000

/**
 * Sends requests at a steady pace, whether or not earlier ones are answered, as a crowd does.
 *
 * @returns ms from when each request was due until its response was complete, ascending
 */
export async function measureWaits({ urls, perSecond, seconds }: Wish): Promise<number[]> {
  const ending = new AbortController()
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const start = performance.now() + 50
  const waits = Array.from({ length: Math.round(perSecond * seconds) }, async (_, number) => {
    const due = start + (number * 1000) / perSecond
    await delay(Math.max(0, due - performance.now()))
    try {
      await ask(urls[number % urls.length] ?? '', { agent, signal: ending.signal })
    } catch (error) {
      if (!ending.signal.aborted) throw error
    }
    return performance.now() - due
  })
  const end = setTimeout(() => ending.abort(), seconds * 1000 + graceMs)
  try {
    return (await Promise.all(waits)).sort((a, b) => a - b)
  } finally {
    clearTimeout(end)
    agent.destroy()
  }
}

/** Uses `node:http`, because `fetch` often costs more than the response and would be measured as well. */
const ask = (url: string, options: { agent: Agent; signal: AbortSignal }): Promise<void> =>
  new Promise((resolve, reject) => {
    const request = get(url, options, (answer) => {
      if (answer.statusCode !== 200) reject(new Error(`${url} answered ${answer.statusCode}`))
      answer.resume().on('end', resolve).on('error', reject)
    })
    request.on('error', reject)
  })
