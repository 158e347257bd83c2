import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { expectBalanced } from '../support/books.ts'
import { figure } from '../support/figures.ts'
import { type RunningMoney, startMoney } from '../support/money.ts'
import { insist, type Purchase, send, signForCatalog, signForSkill } from '../support/patient-buyer.ts'
import { startPostgresProxy } from '../support/postgres-proxy.ts'
import { readLedger } from '../support/read-ledger.ts'
import { type RunningSite, startSite } from '../support/running-site.ts'
import { databaseUrlOf } from '../support/test-databases.ts'

/** Two machines that share nothing but a database. */
let money: RunningMoney
let folders: readonly [string, string]
let start: (at: 0 | 1) => Promise<RunningSite>
let sites: [RunningSite, RunningSite]
/** The proxy between the second site and the database. */
let way: Awaited<ReturnType<typeof startPostgresProxy>>
beforeAll(async () => {
  money = await startMoney()
  const newFolder = () => mkdtempSync(join(tmpdir(), 'farthing-machine-'))
  folders = [newFolder(), newFolder()]
  const direct = (await databaseUrlOf(folders[0])) ?? ''
  way = await startPostgresProxy(direct)
  const FARTHING_SECRET = 'a secret that both machines are given alike'
  start = (at) =>
    startSite({
      ...money,
      dataDir: folders[at],
      env: { DATABASE_URL: at === 0 ? direct : way.url, FARTHING_SECRET, TRUSTED_PROXIES: '1' },
    })
  sites = await Promise.all([start(0), start(1)])
})
afterAll(async () => {
  await Promise.all(sites?.map((site) => site.kill('SIGTERM')) ?? [])
  await way?.close()
  await money?.stop()
})

const rounds = figure(20, 400)
const copies = 20
const bought: Purchase[] = []

it(`sell each signature once and deliver one product, whichever of both is asked (${rounds} signatures, ${copies} times each)`, async () => {
  for (let round = 0; round < rounds; round++) {
    const purchase = await signForCatalog()
    bought.push(purchase)
    const sent = await Promise.all(
      Array.from({ length: copies }, (_, copy) =>
        insist(purchase, sites[copy % 2 === 0 ? 0 : 1].port, { pauseMs: 60 }),
      ),
    )
    expect(sent).toEqual(Array.from({ length: copies }, () => 'delivered'))
    expect(purchase.delivered.size).toBe(1)
  }
})

it('show each other’s receipts and statistics, signed with one key', async () => {
  const [first] = bought
  const receiptOf = async (site: RunningSite) => {
    const answer = await site.fetch(first?.path ?? '', { headers: { 'payment-signature': first?.header ?? '' } })
    await answer.arrayBuffer()
    const receipt = await site.fetch(`/api/receipts/${answer.headers.get('x-receipt-id')}.json`)
    return [receipt.status, await receipt.json()]
  }
  const [here, there] = [await receiptOf(sites[0]), await receiptOf(sites[1])]
  expect([here, here[0]]).toEqual([there, 200])
})

it('charge a wallet once that signs for one product at both of them at once, and deliver it for both signatures', async () => {
  const signed = [await signForSkill('x402-buyer'), await signForSkill('x402-buyer')]
  const sent = await Promise.all(signed.map((purchase, at) => send(purchase, sites[at === 0 ? 0 : 1].port)))
  expect(sent).toEqual(['delivered', 'delivered'])
  const { rows } = await readLedger(folders[0])
  const charged = signed.filter((purchase) => rows.some(({ nonce }) => nonce === purchase.nonce))
  expect(charged).toHaveLength(1)
  bought.push(...charged)
})

it('apply the limit of an address that keeps failing at one of them at the other as well', async () => {
  const ask = (at: 0 | 1, address: string) =>
    sites[at].fetch('/skills/feed-doctor/raw', {
      headers: { 'payment-signature': 'none', 'x-forwarded-for': address },
    })
  for (let times = 0; times < 30; times++) await (await ask(0, '203.0.113.9')).arrayBuffer()
  await expect
    .poll(async () => {
      // The limit restores one request a second, so that three more are sent each time.
      for (let times = 0; times < 3; times++) await (await ask(0, '203.0.113.9')).arrayBuffer()
      return (await ask(1, '203.0.113.9')).status
    })
    .toBe(429)
  expect((await ask(1, '203.0.113.10')).status).toBe(402)
})

it('go on selling when one of them dies, and are both back on their own', async () => {
  await sites[0].kill('SIGKILL')
  const purchase = await signForSkill('feed-doctor')
  bought.push(purchase)
  expect(await insist(purchase, sites[1].port)).toBe('delivered')
  sites[0] = await start(0)
  expect(await insist(purchase, sites[0].port)).toBe('delivered')
  expect(purchase.delivered.size).toBe(1)
  await expectBalanced(folders[0], money, bought)
})

it('refuse, sell again and never print the password when one of them cannot reach the database', async () => {
  const readiness = async () => {
    const answer = await sites[1].fetch('/readyz')
    const { ledger } = (await answer.json()) as { ledger: boolean }
    return [answer.status, ledger]
  }
  const [usual] = await readiness()
  way.refuse(true)
  way.cut()
  await expect.poll(readiness).toEqual([503, false])
  const purchase = await signForCatalog()
  bought.push(purchase)
  expect(await send(purchase, sites[1].port)).toBe('later')
  way.refuse(false)
  expect(await insist(purchase, sites[1].port)).toBe('delivered')
  await expect.poll(readiness).toEqual([usual, true])
  await expectBalanced(folders[0], money, bought)
  expect(sites[1].output()).toContain('server.error')
  expect(sites[1].output()).not.toContain('a-password-of-the-tests')
})
