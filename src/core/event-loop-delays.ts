import { monitorEventLoopDelay } from 'node:perf_hooks'

/**
 * The interval of the timer that is delayed, in milliseconds. With 10, a program that does nothing would use half a per
 * cent of a core for it.
 */
const intervalMs = 50

/** Measures how long what is due waits for its turn of the event loop. It begins with `start`. */
export function makeEventLoopDelays() {
  const between = monitorEventLoopDelay({ resolution: intervalMs })
  return {
    start: (): void => void between.enable(),
    /** The delay, in milliseconds, that this share of what was due since the last `reset` did not exceed. */
    quantileMs: (share: number): number => Math.max(0, between.percentile(share * 100) / 1e6 - intervalMs),
    reset: (): void => between.reset(),
    close: (): void => void between.disable(),
  }
}
