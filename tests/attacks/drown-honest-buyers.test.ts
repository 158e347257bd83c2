import { afterAll, beforeAll, expect, it } from 'vitest'
import { figure, limitMs } from '../support/figures.ts'
import { buyBesideHostile } from '../support/hostile-crowd.ts'
import { type RunningMoney, startMoney } from '../support/money.ts'
import { type RunningSite, startSite } from '../support/running-site.ts'

const seconds = figure(4, 60)
const addresses = 50

let money: RunningMoney
let site: RunningSite
beforeAll(async () => {
  money = await startMoney()
  site = await startSite({ ...money, env: { RATE_LIMITS: 'on', TRUSTED_PROXIES: '1' } })
})
afterAll(async () => {
  await site?.kill('SIGTERM')
  await money?.stop()
})

it(`serves every honest buyer beside ${addresses} hostile addresses for ${seconds} seconds, and none of them for nothing`, {
  timeout: limitMs(600_000, 600_000),
}, async () => {
  const { statuses, hostile } = await buyBesideHostile({ site, money, addresses, seconds })
  expect(statuses).toEqual(statuses.map(() => 200))
  expect(statuses.length).toBe(2 * seconds)
  expect([...hostile.values()].reduce((sum, count) => sum + count, 0)).toBeGreaterThan(addresses)
  // A hostile client that hangs up repeatedly is charged like one that stays; none of the others gets a product.
  expect(hostile.get(200) ?? 0).toBe(0)
  const catalogs = (await money.transfersTo()).filter(({ value }) => value === 50_000n)
  expect(catalogs).toHaveLength(statuses.length)
})
