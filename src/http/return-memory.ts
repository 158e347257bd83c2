import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

const checkMs = 10_000
/** Of one core, in a program that counts as idle. */
const idleShare = 0.03
/** A collection is worth its tenth of a second when so much may come of it. */
const grownBytes = 4 * 1024 * 1024

/** V8's own collection of everything, which it makes by itself only when memory runs out. */
function findCollector(): () => void {
  setFlagsFromString('--expose-gc')
  const gc: NodeJS.GCFunction = runInNewContext('gc')
  return () => void gc({ type: 'major', execution: 'sync', flavor: 'last-resort' })
}

/**
 * Gives the machine its memory back when the program has been idle for a while: what starting took, or a crowd. V8
 * collects when it needs room, so that without work it keeps what the last of the work left behind.
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
