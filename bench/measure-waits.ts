import { setTimeout as delay } from 'node:timers/promises'

interface Wish {
  /** Asked one after the other, again and again; each must be answered with success. */
  readonly urls: readonly string[]
  readonly perSecond: number
  readonly seconds: number
}

/** After the last request is due, one may take this long; then it counts with the time that it has waited. */
const graceMs = 1000

/**
 * Asks at a steady pace, whether or not earlier requests are answered, as a crowd does.
 *
 * @returns milliseconds from when each request was due until its answer was there, ascending
 */
export async function measureWaits({ urls, perSecond, seconds }: Wish): Promise<number[]> {
  const ending = new AbortController()
  const start = performance.now() + 50
  const waits = Array.from({ length: Math.round(perSecond * seconds) }, async (_, number) => {
    const due = start + (number * 1000) / perSecond
    await delay(Math.max(0, due - performance.now()))
    try {
      await ask(urls[number % urls.length] ?? '', ending.signal)
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
  }
}

async function ask(url: string, signal: AbortSignal): Promise<void> {
  const answer = await fetch(url, { signal })
  await answer.arrayBuffer()
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}`)
}
