import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { toSiteStatus } from '../../src/jobs/site-status.ts'

const dayTwo = readFileSync('docs/day-two.md', 'utf8')

/** Enough of a sentence to find it by. */
const beginningOf = (sentence: string): string => sentence.split(' ').slice(0, 4).join(' ')

it('says what to do for every sentence that /status may show about money', () => {
  const gas = { settlementsLeft: 3, isLow: true }
  const broken = [
    { ledger: false, facilitator: false, settling: false, gas },
    { ledger: true, facilitator: true, settling: false },
  ]
  const troubles = broken.flatMap(
    (readiness) => toSiteStatus({ readiness, reversed: 2, runsJobs: true, jobs: [], now: 0 }).troubles,
  )
  expect(troubles.length).toBeGreaterThan(4)
  expect(troubles.filter((sentence) => !dayTwo.includes(beginningOf(sentence)))).toEqual([])
})
