import { totalmem } from 'node:os'
import { availableMemory, constrainedMemory } from 'node:process'
import type { Finding } from '../core/finding.ts'
import { neededBytes } from '../core/small-memory.ts'
import type { Check } from './check.ts'

const mb = 1024 ** 2
/** What one more narration, picture or build may take. */
const freeBytes = 250 * mb

/** Memory of this machine, or the limit of this process (cgroup) where that is less; in bytes. */
export const readMemory = () => {
  const limit = constrainedMemory()
  const total = totalmem()
  return { totalBytes: limit > 0 && limit < total ? limit : total, availableBytes: availableMemory() }
}

/** Checks that there is enough memory for both programs, and for a build. */
export const makeMemoryCheck = (read: typeof readMemory = readMemory): Check => ({
  name: 'memory',
  everyMs: 60_000,
  async run(): Promise<Finding> {
    const { totalBytes, availableBytes } = read()
    const said = `This machine has ${toMb(totalBytes)} MB of memory, ${toMb(availableBytes)} of them free`
    if (totalBytes < neededBytes.programs)
      return {
        is: 'warning',
        sentence: `${said}: with less than ${toMb(neededBytes.programs)} MB the programs may be killed while they work.`,
        advice:
          'Give the machine (or the container) more, or add swap; with less, set NARRATION=off and build elsewhere.',
      }
    if (totalBytes < neededBytes.build)
      return {
        is: 'warning',
        sentence: `${said}: a build takes ${toMb(neededBytes.build)} MB for half a minute.`,
        advice: 'Add swap, or build elsewhere.',
      }
    if (availableBytes < freeBytes)
      return { is: 'warning', sentence: `${said}.`, advice: 'See what takes the rest: ps aux --sort=-rss | head.' }
    return { is: 'ok', sentence: `${said}.` }
  },
})

const toMb = (bytes: number): number => Math.floor(bytes / mb)
