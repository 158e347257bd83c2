import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { readConfig } from '../../src/config/config.ts'
import { toSiteStatus } from '../../src/jobs/site-status.ts'
import { openStorage } from '../../src/site/open-storage.ts'
import { openTestLedger } from '../support/test-databases.ts'

const dayTwo = readFileSync('docs/day-two.md', 'utf8')

it('says what to do about every health check, by the name in the log', () => {
  const names = globSync('src/health/**/check-*.ts').flatMap(
    (file) => /^ +name: (?:toPartName\()?'(\w+)'/m.exec(readFileSync(file, 'utf8'))?.[1] ?? [],
  )
  expect(names.length).toBeGreaterThan(9)
  expect(names.filter((name) => !dayTwo.includes(`\`${name}\``))).toEqual([])
})

it('explains a transfer that the chain has lost in the words of /status', () => {
  const readiness = { ledger: true, facilitator: true, settling: true, findings: [] }
  const [lost = ''] = toSiteStatus({ readiness, reversed: 2, runsJobs: true, jobs: [], now: 0 }).troubles
  expect(dayTwo).toContain(lost.split(' ').slice(0, 6).join(' '))
})

it('says that the storage must be claimed again after a stolen receipt key was removed from the ledger', async () => {
  const row = dayTwo.split('\n').find((line) => line.includes('`receipts.key`')) ?? ''
  const dataDir = mkdtempSync(join(tmpdir(), 'farthing-stolen-'))
  const keys = { STORAGE_ACCESS_KEY_ID: 'k', STORAGE_SECRET_ACCESS_KEY: 's' }
  const config = readConfig({ DATA_DIR: dataDir, STORAGE_URL: 's3://shop?region=eu-central-1', ...keys })
  const db = await openTestLedger()
  const before = await openStorage(config, db)
  // The steps that the row of the table gives.
  rmSync(join(dataDir, 'receipts.key'))
  await db.deleteFrom('receipt_key').execute()
  const after = await openStorage(config, db)
  expect(after?.owner).toEqual(expect.any(String))
  expect(after?.owner).not.toBe(before?.owner)
  expect(row).toContain('delete `owner` below the prefix of your [storage](storage.md#one-ledger-one-prefix)')
  await db.destroy()
  rmSync(dataDir, { recursive: true })
})

it.each(globSync('docs/*.md').filter((file) => !/performance|products/.test(file)))(
  'has each name once in a table: %s',
  (file) => {
    const twice: string[] = []
    let seen = new Set<string>()
    for (const line of readFileSync(file, 'utf8').split('\n')) {
      if (!line.startsWith('|')) seen = new Set()
      for (const [name] of line.startsWith('|') ? (line.split('|')[1] ?? '').matchAll(/`[^`]+`/g) : []) {
        if (seen.has(name)) twice.push(name)
        seen.add(name)
      }
    }
    expect(twice).toEqual([])
  },
)

it('mentions only systemd units that exist', () => {
  const units = new Set(globSync('deploy/systemd/*.service').map((file) => file.replace(/^.*\/|\.service$/g, '')))
  const others = ['caddy', 'nginx', 'prometheus', 'docker']
  const named = globSync(['docs/*.md', 'README.md']).flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/journalctl((?: -u [\w-]+)+)/g)].flatMap(([, said = '']) =>
      [...said.matchAll(/-u ([\w-]+)/g)].map(([, unit = '']) => unit),
    ),
  )
  expect(named.length).toBeGreaterThan(3)
  expect(named.filter((unit) => !units.has(unit) && !others.includes(unit))).toEqual([])
})
