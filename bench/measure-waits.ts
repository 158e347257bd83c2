import { Agent, get } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'

interface Wish {
  /** Asked one after the other, again and again; each must be answered with success. */
  readonly urls: readonly string[]
  readonly perSecond: number
  readonly seconds: number
}

/** More than a server that keeps up is ever asked on; what finds none free waits, and its time runs. */
const connections = 64
/** After the last request is due, one may take this long; then it counts with the time that it has waited. */
const graceMs = 1000

/**
 * Asks at a steady pace, whether or not earlier requests are answered, as a crowd does.
 *
 * @returns milliseconds from when each request was due until its answer was there, ascending
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

/** With the plain client of Node.js: `fetch` costs more than many an answer, and would be measured with it. */
const ask = (url: string, options: { agent: Agent; signal: AbortSignal }): Promise<void> =>
  new Promise((resolve, reject) => {
    const request = get(url, options, (answer) => {
      if (answer.statusCode !== 200) reject(new Error(`${url} answered ${answer.statusCode}`))
      answer.resume().on('end', resolve).on('error', reject)
    })
    request.on('error', reject)
  })
