import type { Log } from '../core/log.ts'
import { type EndedSpan, toOtlp } from './otlp.ts'
import type { Attributes } from './trace.ts'

interface Options {
  readonly url: string
  readonly headers: () => Readonly<Record<string, string>>
  readonly resource: Attributes
  readonly log: Log
  /** How often the gathered spans are sent, in ms. */
  readonly everyMs?: number
  readonly deadlineMs?: number
  /** How long the end of the program waits for the last spans to be sent, in ms. */
  readonly lastMs?: number
}

/** How many spans may wait. Later ones are dropped, because requests matter more than their traces. */
export const mostWaiting = 2048
const mostTogether = 512
const silentMs = 60_000
const longestPauseMs = 60_000

/** Whether the spans are to be sent again (OTLP/HTTP, retryable response codes), as after a failed connection. */
const isPassing = (status: number): boolean => [429, 502, 503, 504].includes(status)

/** Sends spans to a collector, in the background and in batches. Only the end of the program waits for it. */
export function exportSpans(options: Options) {
  const { url, headers, resource, log, everyMs = 5000, deadlineMs = 10_000, lastMs = 3000 } = options
  const waiting: EndedSpan[] = []
  const stop = new AbortController()
  let dropped = 0
  let failures = 0
  let saidAt = Number.NEGATIVE_INFINITY
  let sending: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined

  const fail = (reason: string): void => {
    failures += 1
    if (performance.now() - saidAt < silentMs) return
    saidAt = performance.now()
    log('traces.failed', { reason, dropped })
    dropped = 0
  }

  /** Whether these spans are done with, accepted or refused; otherwise they are sent again. */
  const post = async (spans: readonly EndedSpan[]): Promise<boolean> => {
    try {
      const response = await fetch(url, {
        method: 'POST',
        body: JSON.stringify(toOtlp(spans, resource)),
        headers: { ...headers(), 'content-type': 'application/json', 'user-agent': 'Farthing-OTLP' },
        redirect: 'manual',
        signal: AbortSignal.any([stop.signal, AbortSignal.timeout(deadlineMs)]),
      })
      await response.body?.cancel()
      if (response.ok) {
        failures = 0
        return true
      }
      const isOver = !isPassing(response.status)
      if (isOver) dropped += spans.length
      fail(`the collector answered ${response.status}`)
      return isOver
    } catch (error) {
      const isLate = stop.signal.aborted || (error instanceof Error && error.name === 'TimeoutError')
      fail(isLate ? 'the collector did not answer in time' : 'the collector could not be reached')
      return false
    }
  }

  const sendAll = async (): Promise<void> => {
    while (waiting.length > 0 && !stop.signal.aborted) {
      const spans = waiting.slice(0, mostTogether)
      if (!(await post(spans))) return
      waiting.splice(0, spans.length)
    }
  }

  const send = (): Promise<void> => {
    clearTimeout(timer)
    timer = undefined
    sending ??= sendAll().finally(() => {
      sending = undefined
      if (waiting.length > 0) plan()
    })
    return sending
  }
  const plan = (): void => {
    timer ??= setTimeout(() => void send(), Math.min(everyMs * 2 ** failures, longestPauseMs)).unref()
  }

  return {
    add(span: EndedSpan): void {
      if (waiting.length >= mostWaiting) {
        dropped += 1
        return
      }
      waiting.push(span)
      if (waiting.length === mostTogether && failures === 0) void send()
      else if (!sending) plan()
    },
    /** Sends the waiting spans, for `lastMs` at most. */
    async close(): Promise<void> {
      const limit = setTimeout(() => stop.abort(), lastMs)
      await sending
      await send()
      clearTimeout(limit)
      clearTimeout(timer)
      stop.abort()
    },
  }
}
