import { Worker } from 'node:worker_threads'

const lookEveryMs = 20

/** Looks at the process from beside its work, which may never pause. */
const watch = `
const { workerData } = require('node:worker_threads')
setInterval(() => {
  if (process.memoryUsage.rss() > workerData.mostBytes) process.kill(process.pid, 'SIGKILL')
}, workerData.lookEveryMs)`

let isWatched = false

/**
 * Ends this process once it holds more memory than it may: what a file unpacks to lies outside of the heap, whose limit
 * does not count it.
 */
export function limitMemory(mostMb: number): void {
  if (isWatched) return
  isWatched = true
  new Worker(watch, { eval: true, workerData: { mostBytes: mostMb * 1024 * 1024, lookEveryMs } }).unref()
}
