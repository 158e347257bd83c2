import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { expectBalanced } from '../support/books.ts'
import { figure, limitMs } from '../support/figures.ts'
import { inspected, openMemory } from '../support/inspected-memory.ts'
import { type RunningMoney, startMoney } from '../support/money.ts'
import type { Purchase } from '../support/patient-buyer.ts'
import { type RunningSite, startSite } from '../support/running-site.ts'
import { makeVisits, type Visit } from '../support/soak-visits.ts'
import { typicalSlope } from '../support/typical-slope.ts'

const requests = figure(5000, 100_000)
/** The requests before the first measurement: what is compiled, cached and connected at the start is not a leak. */
const warmUp = requests * 0.4
const looks = 10
const visitors = 8
/** A request that is kept whole leaves 9,900 bytes. A short run also compiles and caches, which leaves 1,600 each. */
const maxBytesPerRequest = figure(4000, 300)

let money: RunningMoney
let site: RunningSite
let game: RunningSite
const dataDir = mkdtempSync(join(tmpdir(), 'farthing-soak-'))

beforeAll(async () => {
  money = await startMoney()
  const common = { ...money, dataDir, env: { NODE_OPTIONS: inspected } }
  site = await startSite(common)
  game = await startSite({ ...common, program: 'game-server/host/main.ts' })
})
afterAll(async () => {
  await Promise.all([site.kill(), game.kill()])
  await money.stop()
  rmSync(dataDir, { recursive: true })
})

/** Yields the visits without end, each in proportion to its weight. */
function* inTurns(visits: readonly Visit[]): Generator<Visit, never> {
  const due = visits.map((visit) => ({ visit, debt: Math.random() * visit.weight }))
  const whole = visits.reduce((sum, { weight }) => sum + weight, 0)
  for (;;) {
    for (const each of due) each.debt += each.visit.weight
    const next = due.reduce((most, each) => (each.debt > most.debt ? each : most))
    next.debt -= whole
    yield next.visit
  }
}

const soldSchema = z.object({ micros: z.bigint() })

it(`answers ${requests} requests of every kind as it should, sells what it is paid for, and holds on to nothing`, {
  timeout: limitMs(600_000, 3_600_000),
}, async () => {
  const bought: { skills: Purchase[]; tips: Purchase[] } = { skills: [], tips: [] }
  const turns = inTurns(makeVisits({ site: site.port, game: game.port }, bought))
  const memories = { site: await openMemory(site.output()), game: await openMemory(game.output()) }
  const points: Record<Visit['of'], { x: number; y: number }[]> = { site: [], game: [] }
  const counts = { site: 0, game: 0 }
  const wrong: string[] = []

  const visit = async (until: number): Promise<void> => {
    while (counts.site + counts.game < until) {
      const { of, run } = turns.next().value
      counts[of]++
      const fault = await run()
      if (fault !== undefined) wrong.push(fault)
    }
  }
  for (let look = 0; look <= looks; look++) {
    const until = warmUp + ((requests - warmUp) * look) / looks
    await Promise.all(Array.from({ length: visitors }, () => visit(until)))
    expect(wrong).toEqual([])
    for (const name of ['site', 'game'] as const)
      points[name].push({ x: counts[name], y: await memories[name].heldBytes() })
  }

  const all = [...bought.skills, ...bought.tips]
  expect(bought.skills.length).toBeGreaterThan(requests / 200)
  expect(bought.tips.length).toBeGreaterThan(requests / 2000)
  await expectBalanced(dataDir, money, all)
  const ledger = new DatabaseSync(join(dataDir, 'ledger.db'), { readOnly: true })
  const query = ledger.prepare('select sum(cast(amount as integer)) as micros from sale')
  query.setReadBigInts(true)
  const row: unknown = query.get()
  ledger.close()
  const sold = soldSchema.parse(row)
  const transfers = await money.transfersTo()
  expect(sold.micros).toBe(transfers.reduce((sum, { value = 0n }) => sum + value, 0n))
  for (const program of [site, game]) expect(program.output()).not.toMatch(/"event":"server\.error"/)

  for (const name of ['site', 'game'] as const)
    expect(typicalSlope(points[name]), `bytes per request of the ${name}`).toBeLessThan(maxBytesPerRequest)
  for (const memory of Object.values(memories)) memory.close()
})
