import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { expectBalanced } from '../support/books.ts'
import { type FaultyFacilitator, startFaultyFacilitator } from '../support/faulty-facilitator.ts'
import { figure, limitMs } from '../support/figures.ts'
import { type RunningMoney, startMoney } from '../support/money.ts'
import { insist, type Purchase, send, signForCatalog } from '../support/patient-buyer.ts'
import { readLedger } from '../support/read-ledger.ts'
import { type RunningSite, startSite } from '../support/running-site.ts'
import { openSocket } from '../support/socket-client.ts'
import { askForTip, signForTip } from '../support/tip-purchase.ts'

const rounds = figure(3, 300)
const buyers = figure(6, 16)
/** How long a stop may take: `usualWholeMs` of `src/http/shutdown.ts`, and some time for the exit itself. */
const exitWithinMs = 35_000

let money: RunningMoney
let facilitator: FaultyFacilitator
beforeAll(async () => {
  money = await startMoney()
  facilitator = await startFaultyFacilitator({ upstreamUrl: money.facilitatorUrl })
})
afterAll(async () => {
  await facilitator.close()
  await money.stop()
})

const open = (dataDir: string, options: { program?: string } = {}): Promise<RunningSite> =>
  startSite({
    ...options,
    facilitatorUrl: facilitator.url,
    rpcUrl: money.rpcUrl,
    dataDir,
  })

async function waitFor(isSo: () => boolean): Promise<void> {
  while (!isSo()) await delay(2)
}

/** Sends SIGTERM, and returns the exit code and the time in ms until the exit. */
async function stop({ child }: RunningSite): Promise<{ code: unknown; tookMs: number }> {
  const from = performance.now()
  const exit = once(child, 'exit')
  child.kill('SIGTERM')
  const [code] = await exit
  return { code, tookMs: performance.now() - from }
}

it(`responds to every paid request in flight, records every sale, and exits with 0 (${rounds} rounds)`, {
  timeout: limitMs(600_000, 3_600_000),
}, async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'farthing-stop-'))
  const bought: Purchase[] = []
  // The next process starts while this one ends, as in an update without a pause.
  let next = open(dataDir)
  for (let round = 0; round < rounds; round++) {
    const site = await next
    const purchases = await Promise.all(Array.from({ length: buyers }, () => signForCatalog()))
    bought.push(...purchases)
    const verified = facilitator.calls.verify + buyers
    // The delays vary so much that the signal finds requests at every step.
    const slow = () => Array.from({ length: buyers }, () => ({ slowMs: Math.random() * 300 }))
    facilitator.faults.verify = slow()
    facilitator.faults.settle = slow()
    const sending = Promise.all(purchases.map((purchase) => send(purchase, site.port)))
    next = open(dataDir)
    await waitFor(() => facilitator.calls.verify === verified)
    await delay(Math.random() * 400)
    const stopped = stop(site)
    expect(await sending).toEqual(purchases.map(() => 'delivered'))
    const { code, tookMs } = await stopped
    expect(code).toBe(0)
    expect(tookMs).toBeLessThan(exitWithinMs)
    expect(await send(purchases[0] ?? (await signForCatalog()), site.port)).toBe('cut')
    expect((await readLedger(dataDir)).rows.filter(({ state }) => state !== 'settled')).toEqual([])
  }
  await expectBalanced(dataDir, money, bought)
  // The next process knows all purchases.
  const site = await next
  for (const purchase of bought.slice(-buyers)) expect(await send(purchase, site.port)).toBe('delivered')
  await site.kill('SIGTERM')
  await expectBalanced(dataDir, money, bought)
  rmSync(dataDir, { recursive: true })
})

it('says goodbye to the players of a game host, responds to buyers there, and knows both after the restart', async () => {
  const earlier = (await money.transfersTo()).length
  const dataDir = mkdtempSync(join(tmpdir(), 'farthing-stop-'))
  const game = { program: 'game-server/host/main.ts' }
  const host = await open(dataDir, game)
  const players = await Promise.all(
    ['Ada', 'Bo', 'Cyd'].map(async (name) => {
      const client = await openSocket(`ws://127.0.0.1:${host.port}/ws`)
      client.send({ type: 'join', name, kind: 'agent' })
      const { resumeToken, realm } = await client.next('welcome')
      return { name, client, resumeToken, realm }
    }),
  )
  const purchases = await Promise.all(Array.from({ length: 8 }, () => signForTip()))
  const verified = facilitator.calls.verify + purchases.length
  facilitator.faults.verify = purchases.map(() => ({ slowMs: Math.random() * 300 }))
  facilitator.faults.settle = purchases.map(() => ({ slowMs: Math.random() * 300 }))
  const sending = Promise.all(purchases.map((purchase) => send(purchase, host.port, askForTip)))
  await waitFor(() => facilitator.calls.verify === verified)
  const stopped = stop(host)
  for (const { client } of players) {
    expect(await client.next('bye')).toEqual({ type: 'bye', reason: 'restart', retryMs: 3000 })
    expect(await client.closed).toBe(1012)
  }
  expect(await sending).toEqual(purchases.map(() => 'delivered'))
  const { code, tookMs } = await stopped
  expect(code).toBe(0)
  expect(tookMs).toBeLessThan(exitWithinMs)

  const next = await open(dataDir, game)
  for (const { name, resumeToken, realm } of players) {
    const client = await openSocket(`ws://127.0.0.1:${next.port}/ws`)
    client.send({ type: 'join', name, kind: 'agent', resumeToken })
    expect(await client.next('welcome')).toMatchObject({ resumed: true, realm })
    await client.close()
  }
  for (const purchase of purchases) expect(await send(purchase, next.port, askForTip)).toBe('delivered')
  await next.kill('SIGTERM')
  await expectBalanced(dataDir, money, purchases, earlier)
  rmSync(dataDir, { recursive: true })
})

// It takes half a minute, so that it only runs in the deep tests.
if (figure(0, 1) > 0)
  it('does not wait longer for a facilitator that is silent after it settled', async () => {
    const earlier = (await money.transfersTo()).length
    const dataDir = mkdtempSync(join(tmpdir(), 'farthing-stop-'))
    const site = await open(dataDir)
    const purchase = await signForCatalog()
    const settles = facilitator.calls.settle + 1
    facilitator.faults.settle = [{ slowMs: 60_000 }]
    const sending = send(purchase, site.port)
    await waitFor(() => facilitator.calls.settle === settles)
    const { code, tookMs } = await stop(site)
    expect(code).toBe(0)
    expect(tookMs).toBeLessThan(exitWithinMs)
    await sending
    const next = await open(dataDir)
    expect(await insist(purchase, next.port)).toBe('delivered')
    await expectBalanced(dataDir, money, [purchase], earlier)
    await next.kill('SIGTERM')
  })
