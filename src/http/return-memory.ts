import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

const checkMs = 10_000
/** The share of one core below which the program counts as idle: less than two sales a second take. */
const idleShare = 0.015
/** A collection takes about 100 ms, so memory must have grown by this much since the last one. */
const grownBytes = 4 * 1024 * 1024

/** Gets the function that makes V8 collect all garbage, which it does by itself only when memory runs out. */
function findCollector(): () => void {
  setFlagsFromString('--expose-gc')
  const gc: NodeJS.GCFunction = runInNewContext('gc')
  return () => void gc({ type: 'major', execution: 'sync', flavor: 'last-resort' })
}

/**
 * Returns memory to the system when the program has been idle for a while, such as after starting or after a burst of
 * requests. V8 collects garbage only when it needs room, so an idle program would keep it.
 */
export function returnMemory(): { close(): void } {
  let collect: (() => void) | undefined
  let collectedBytes = 0
  let before = process.cpuUsage()
  const timer = setInterval(() => {
    const { user, system } = process.cpuUsage(before)
    before = process.cpuUsage()
    const isIdle = (user + system) / 1000 < checkMs * idleShare
    if (!isIdle || process.memoryUsage.rss() < collectedBytes + grownBytes) return
    collect ??= findCollector()
    collect()
    collectedBytes = process.memoryUsage.rss()
    before = process.cpuUsage()
  }, checkMs)
  timer.unref()
  return { close: () => clearInterval(timer) }
}
