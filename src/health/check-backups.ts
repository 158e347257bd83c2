import type { BackupsSeen } from '../backups/overview.ts'
import type { Check } from './check.ts'
import { toSpan } from './span-text.ts'

/** One is made each hour; after three of them something keeps them from being made. */
const mostMs = 3 * 60 * 60 * 1000

/** Clocks of several machines differ a little, and names count on where a second has one already. */
const aheadMs = 10 * 60 * 1000

const advice = '/status says why; make one now: npm run job -- hourly-backup.'

interface Options {
  readonly seen: Pick<BackupsSeen, 'findNewest' | 'unseen'>
  /** Since when there could have been one, in milliseconds. */
  readonly sinceMs: number
  readonly now: () => number
}

/** How old the newest backup is: what happened since would be lost with the disk. */
export const makeBackupsCheck = ({ seen, sinceMs, now }: Options): Check => ({
  name: 'backups',
  everyMs: 60_000,
  async run() {
    const newest = await seen.findNewest(now() + aheadMs).catch(() => null)
    if (newest === null) return { is: 'warning', sentence: 'The backups cannot be read.', advice: seen.unseen }
    if (newest === undefined) {
      if (now() - sinceMs <= mostMs) return { is: 'ok', sentence: 'The first backup has not been made yet.' }
      return { is: 'warning', sentence: 'There is no backup.', advice }
    }
    const ageMs = Math.max(0, now() - newest)
    if (ageMs <= mostMs) return { is: 'ok', sentence: 'The newest backup is less than three hours old.' }
    return { is: 'warning', sentence: `The newest backup is ${toSpan(ageMs)} old.`, advice }
  },
})
