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

/** Watches how long this program's turns wait for each other: by the 99th of a hundred, over a window of time. */
export function watchEventLoop({ everyMs = 2000, minCpuShare = 0.4, onChange = () => {} }: Options = {}) {
  const delays = monitorEventLoopDelay({ resolution: 10 })
  let since = { at: performance.now(), loop: performance.eventLoopUtilization(), cpu: process.threadCpuUsage() }
  let isBusy = false

  const timer = setInterval(() => {
    const delayMs = delays.percentile(99) / 1e6
    const { utilization } = performance.eventLoopUtilization(since.loop)
    const cpu = process.threadCpuUsage(since.cpu)
    const cpuShare = (cpu.user + cpu.system) / 1000 / (performance.now() - since.at)
    since = { at: performance.now(), loop: performance.eventLoopUtilization(), cpu: process.threadCpuUsage() }
    delays.reset()
    const wasBusy = isBusy
    isBusy = delayMs > maxDelayMs && utilization > minUtilization && cpuShare > minCpuShare
    if (isBusy !== wasBusy) onChange(isBusy, Math.round(delayMs))
  }, everyMs)
  timer.unref()
  delays.enable()

  return {
    /** Whether more comes in than can be done: then new work makes everybody wait. */
    isBusy: (): boolean => isBusy,
    close(): void {
      clearInterval(timer)
      delays.disable()
    },
  }
}
