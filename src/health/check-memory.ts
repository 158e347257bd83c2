import { totalmem } from 'node:os'
import { availableMemory, constrainedMemory } from 'node:process'
import type { Finding } from '../core/finding.ts'
import type { Check } from './check.ts'

const mb = 1_000_000
/** With less both programs end soon after their start, when the first narration is made. */
const leastBytes = 600 * mb
/** Both programs, and a build beside them. */
const enoughBytes = 950 * mb
/** What one more narration, picture or build may take at once. */
const freeBytes = 250 * mb

/** What this machine has, or the limit that this process was given where that is less. */
export const readMemory = () => {
  const limit = constrainedMemory()
  const total = totalmem()
  return { totalBytes: limit > 0 && limit < total ? limit : total, availableBytes: availableMemory() }
}

/** Whether there is room for both programs and for a build beside them. */
export const makeMemoryCheck = (read: typeof readMemory = readMemory): Check => ({
  name: 'memory',
  everyMs: 60_000,
  async run(): Promise<Finding> {
    const { totalBytes, availableBytes } = read()
    const said = `There are ${toMb(totalBytes)} MB of memory, ${toMb(availableBytes)} of them free`
    if (totalBytes < leastBytes)
      return {
        is: 'warning',
        sentence: `${said}: with less than 600 the programs may be killed while they work.`,
        advice: 'Give the machine (or the container) 1 GB; with less, set NARRATION=off and build elsewhere.',
      }
    if (totalBytes < enoughBytes)
      return {
        is: 'warning',
        sentence: `${said}: a build beside the running programs takes what 1 GB has.`,
        advice: 'Give the machine (or the container) 1 GB, or add swap.',
      }
    if (availableBytes < freeBytes)
      return { is: 'warning', sentence: `${said}.`, advice: 'See what takes the rest: ps aux --sort=-rss | head.' }
    return { is: 'ok', sentence: `${said}.` }
  },
})

const toMb = (bytes: number): number => Math.floor(bytes / mb)
