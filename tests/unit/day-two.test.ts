import { globSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { toSiteStatus } from '../../src/jobs/site-status.ts'

const dayTwo = readFileSync('docs/day-two.md', 'utf8')

it('says what to do about every part that health looks at, by the name that the log gives it', () => {
  const names = globSync('src/health/**/check-*.ts').flatMap(
    (file) => /^ +name: (?:toPartName\()?'(\w+)'/m.exec(readFileSync(file, 'utf8'))?.[1] ?? [],
  )
  expect(names.length).toBeGreaterThan(9)
  expect(names.filter((name) => !dayTwo.includes(`\`${name}\``))).toEqual([])
})

it('says what it means that the chain has lost a transfer, as /status says it', () => {
  const readiness = { ledger: true, facilitator: true, settling: true, findings: [] }
  const [lost = ''] = toSiteStatus({ readiness, reversed: 2, runsJobs: true, jobs: [], now: 0 }).troubles
  expect(dayTwo).toContain(lost.split(' ').slice(0, 6).join(' '))
})
