import { performance } from 'node:perf_hooks'
import { makeEventLoopDelays } from '../core/event-loop-delays.ts'

interface Options {
  /** The interval between two measurements, in milliseconds. */
  readonly everyMs?: number
  /**
   * The smallest share of a core that counts as busy: if other programs use the processor, refusing work does not help.
   */
  readonly minCpuShare?: number
  /** Called when the program becomes too busy, and when that is over. */
  readonly onChange?: (isBusy: boolean, delayMs: number) => void
}

/** A delay of the event loop that callers notice, in milliseconds. */
const maxDelayMs = 100
/** The smallest utilization that counts as busy: a long pause in an otherwise idle program is no overload. */
const minUtilization = 0.8
/**
 * The number of busy measurements in a row: one may come from the first requests, whose code V8 has not compiled yet.
 */
const minLooks = 2

/** Watches the delay of the event loop: the 99th percentile over each interval. */
export function watchEventLoop({ everyMs = 2000, minCpuShare = 0.4, onChange = () => {} }: Options = {}) {
  const delays = makeEventLoopDelays()
  let timer: NodeJS.Timeout | undefined
  let busyLooks = 0
  const isBusy = (): boolean => busyLooks >= minLooks

  const mark = () => ({
    at: performance.now(),
    loop: performance.eventLoopUtilization(),
    cpu: process.threadCpuUsage(),
  })
  let since = mark()

  const look = (): void => {
    const delayMs = delays.quantileMs(0.99)
    const { utilization } = performance.eventLoopUtilization(since.loop)
    const cpu = process.threadCpuUsage(since.cpu)
    const cpuShare = (cpu.user + cpu.system) / 1000 / (performance.now() - since.at)
    since = mark()
    delays.reset()
    const wasBusy = isBusy()
    busyLooks = delayMs > maxDelayMs && utilization > minUtilization && cpuShare > minCpuShare ? busyLooks + 1 : 0
    if (isBusy() !== wasBusy) onChange(isBusy(), Math.round(delayMs))
  }

  return {
    /** Begins to measure. Call it when the program starts to serve, because work before that delays nobody. */
    start(): void {
      since = mark()
      delays.start()
      timer ??= setInterval(look, everyMs).unref()
    },
    /** Whether more work arrives than the program can do, so that new work would delay all requests. */
    isBusy,
    close(): void {
      clearInterval(timer)
      delays.close()
    },
  }
}
