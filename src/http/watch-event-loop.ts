import { monitorEventLoopDelay, performance } from 'node:perf_hooks'

interface Options {
  /** Milliseconds that one look covers. */
  readonly everyMs?: number
  /** Of a core: a program that others keep from running is not helped by refusing work. */
  readonly minCpuShare?: number
  /** Called when the program begins to be too busy, and when it is no more. */
  readonly onChange?: (isBusy: boolean, delayMs: number) => void
}

/** Whoever waits this long for a turn notices. */
const maxDelayMs = 100
/** A long pause in a program that is idle otherwise is no crowd. */
const minUtilization = 0.8
/** Looks in a row: one may be the first requests of a program, whose code V8 has not compiled yet. */
const minLooks = 2

/** Watches how long this program's turns wait for each other: by the 99th of a hundred, over a window of time. */
export function watchEventLoop({ everyMs = 2000, minCpuShare = 0.4, onChange = () => {} }: Options = {}) {
  const delays = monitorEventLoopDelay({ resolution: 10 })
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
    const delayMs = delays.percentile(99) / 1e6
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
    /** Looks from now on: what a program does before it answers anybody makes nobody wait. */
    start(): void {
      since = mark()
      delays.enable()
      timer ??= setInterval(look, everyMs).unref()
    },
    /** Whether more comes in than can be done: then new work makes everybody wait. */
    isBusy,
    close(): void {
      clearInterval(timer)
      delays.disable()
    },
  }
}
