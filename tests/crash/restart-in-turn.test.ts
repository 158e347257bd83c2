import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { expectBalanced } from '../support/books.ts'
import { startFaultyFacilitator } from '../support/faulty-facilitator.ts'
import { startMoney } from '../support/money.ts'
import { insist, signForCatalog } from '../support/patient-buyer.ts'
import { type RunningSite, startSite } from '../support/running-site.ts'
import { streamRequests } from '../support/stream-requests.ts'
import { startTurns } from '../support/take-turns.ts'

it('two site processes behind a proxy, restarted in turn, fail no request and lose no purchase', async () => {
  const money = await startMoney()
  const facilitator = await startFaultyFacilitator({ upstreamUrl: money.facilitatorUrl })
  facilitator.always = { settle: { slowMs: 500 } }
  const dataDir = mkdtempSync(join(tmpdir(), 'farthing-turns-'))
  const start = () => startSite({ facilitatorUrl: facilitator.url, rpcUrl: money.rpcUrl, dataDir })
  const sites: [RunningSite, RunningSite] = [await start(), await start()]
  const proxy = await startTurns(sites.map(({ port }) => port))
  const stream = streamRequests(proxy.port, 'x402-seller')
  const bought = []
  const buying = []

  for (const at of [0, 1] as const) {
    const purchases = await Promise.all([signForCatalog(), signForCatalog(), signForCatalog(), signForCatalog()])
    bought.push(...purchases)
    buying.push(...purchases.map((purchase) => insist(purchase, proxy.port)))
    // The process that is about to stop is working on some of them.
    await expect.poll(() => facilitator.calls.settle).toBeGreaterThan(at * 4)
    await sites[at].kill('SIGTERM')
    expect(sites[at].child.exitCode).toBe(0)
    sites[at] = await start()
    proxy.use(sites.map(({ port }) => port))
    const asked = stream.asked()
    await expect.poll(() => stream.asked()).toBeGreaterThan(asked + 50)
  }

  expect(await Promise.all(buying)).toEqual(buying.map(() => 'delivered'))
  expect(await stream.stop()).toEqual([])
  await expectBalanced(dataDir, money, bought)
  proxy.close()
  await Promise.all(sites.map((site) => site.kill('SIGTERM')))
  await facilitator.close()
  await money.stop()
  rmSync(dataDir, { recursive: true })
})
