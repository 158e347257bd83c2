import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { makeGameMetrics } from '../../game-server/host/game-metrics.ts'
import { jobTable } from '../../src/jobs/job-table.ts'
import { makeLedgerMetrics } from '../../src/metrics/ledger-metrics.ts'
import { makePaymentMetrics } from '../../src/metrics/payment-metrics.ts'
import { openProcessMetrics } from '../../src/metrics/process-metrics.ts'
import { makeSiteMetrics } from '../../src/site/site-metrics.ts'
import { openLedgerDatabase } from '../../src/storage/open-ledger-database.ts'
import { type GameHouse, openGameHouse } from '../support/game-house.ts'

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')
const namesIn = (text: string) => new Set(text.match(/\b(?:farthing|process)_[a-z_]+/g))

/** The name of everything that either program measures. */
async function allNames(house: GameHouse): Promise<Set<string>> {
  const db = await openLedgerDatabase(':memory:')
  const ofProcess = openProcessMetrics()
  const metrics = [
    ...ofProcess.metrics,
    ...makePaymentMetrics().metrics,
    ...makeLedgerMetrics(db),
    ...makeSiteMetrics({
      dataDir: '.',
      offers: () => [],
      slotsInUse: () => new Map(),
      underWay: () => 0,
      isSettling: () => true,
      endedRuns: async () => [],
      waitingWebhooks: async () => 0,
      waitingEmails: async () => 0,
    }),
    ...makeGameMetrics({ game: house.game, sockets: () => 0, underWay: () => 0 }),
  ]
  ofProcess.close()
  await db.destroy()
  return new Set(metrics.map(({ name }) => name))
}

describe('the names of metrics', () => {
  it('are in the document for operators, and it knows no others', async () => {
    const house = await openGameHouse()
    const known = await allNames(house)
    expect([...namesIn(read('docs/signals.md'))].toSorted()).toEqual([...known].toSorted())
    await house.stop()
  })

  it('that alerts ask for are measured, and so are the jobs that they name', async () => {
    const house = await openGameHouse()
    const known = await allNames(house)
    const alerts = read('deploy/alerts.yml')
    const asked = [...alerts.matchAll(/expr: (.*)/g)].map(([, expression = '']) => expression)
    expect(asked.length).toBeGreaterThan(8)
    expect([...namesIn(asked.join('\n'))].filter((name) => !known.has(name))).toEqual([])
    const jobs: readonly string[] = jobTable.map(({ name }) => name)
    const named = [...alerts.matchAll(/job="([a-z-]+)"/g)].map(([, name = '']) => name)
    expect(named.filter((name) => name !== 'farthing' && !jobs.includes(name))).toEqual([])
    await house.stop()
  })
})
