import { Worker } from 'node:worker_threads'

const lookEveryMs = 20

/** Checks the memory of this process from a separate thread, because the work itself may block the event loop. */
const watch = `
const { workerData } = require('node:worker_threads')
setInterval(() => {
  if (process.memoryUsage.rss() > workerData.mostBytes) process.kill(process.pid, 'SIGKILL')
}, workerData.lookEveryMs)`

let isWatched = false

/**
 * Kills this process once its resident memory exceeds `mostMb` MiB. Unpacked file contents lie outside of the
 * JavaScript heap, so a limit on the heap does not count them.
 */
export function limitMemory(mostMb: number): void {
  if (isWatched) return
  isWatched = true
  new Worker(watch, { eval: true, workerData: { mostBytes: mostMb * 1024 * 1024, lookEveryMs } }).unref()
}
