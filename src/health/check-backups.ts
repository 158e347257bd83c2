import type { BackupsSeen } from '../backups/overview.ts'
import type { Check } from './check.ts'
import { toSpan } from './span-text.ts'

/** A backup is made each hour; after three hours without one, something prevents them. */
const mostMs = 3 * 60 * 60 * 1000

/**
 * How far in the future a backup may be dated: clocks differ a little, and a prefix that exists gets a later second.
 */
const aheadMs = 10 * 60 * 1000

const advice = '/status says why; make one now: npm run job -- hourly-backup.'

interface Options {
  readonly seen: Pick<BackupsSeen, 'findNewest' | 'unseen'>
  /** Since when there could have been a backup, in ms since 1970. */
  readonly sinceMs: number
  readonly now: () => number
}

/** Checks the age of the newest backup: everything after it would be lost with the disk. */
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
