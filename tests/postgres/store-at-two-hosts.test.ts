import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Hosts, openHosts } from '../../game-server/hosts/hosts.ts'
import { type GameDatabase, openGameDatabase } from '../../game-server/storage/open-game-database.ts'
import { sandboxPayTo } from '../../src/config/sandbox-accounts.ts'
import { type LedgerDatabase, openLedgerDatabase } from '../../src/storage/open-ledger-database.ts'
import { ownFigure } from '../support/figures.ts'
import { pretendChain } from '../support/pretend-chain.ts'
import { signPayment } from '../support/signed-payments.ts'
import { makeDatabase } from '../support/test-databases.ts'
import { openTestStore, type TestStore } from '../support/test-store.ts'

const rounds = ownFigure(20, 400)
const sku = 'death_frames_pro'
const clock = { ms: Date.now() }
const chain = pretendChain(clock)
const troubles: unknown[] = []
let ledger: LedgerDatabase
let db: GameDatabase
let hosts: Hosts[] = []
let stores: TestStore[] = []

beforeAll(async () => {
  const url = await makeDatabase()
  ledger = await openLedgerDatabase('', url)
  db = await openGameDatabase('', url)
  const openHost = () => openHosts({ db, report: (error) => troubles.push(error) })
  hosts = [await openHost(), await openHost()]
  stores = await Promise.all(
    hosts.map(({ claim }) => openTestStore({ money: chain, now: () => clock.ms, db: ledger, claim })),
  )
})
afterAll(async () => {
  for (const each of [...stores, ...hosts]) await each.close()
  await db?.destroy()
  await ledger?.destroy()
  expect(troubles).toEqual([])
})

interface Order {
  readonly playerName: string
  readonly header: string
}

let signed = 0
async function order(playerName: string): Promise<Order> {
  const validBefore = Math.floor(clock.ms / 1000) + 300
  const { header } = await signPayment({
    amount: 5_000_000n,
    payTo: sandboxPayTo,
    token: `token ${++signed}`,
    validBefore,
  })
  return { playerName, header }
}
const ask = async (store: TestStore | undefined, { playerName, header }: Order) => {
  const answer = await store?.post('/api/store/unlock', { sku, playerName }, { 'payment-signature': header })
  return answer?.status
}

/** Sends one order to each host at the same time, and then each again. Both are delivered, and only one is charged. */
async function expectOneCharge(orders: readonly [Order, Order]): Promise<void> {
  const before = chain.calls.transfers
  for (const status of await Promise.all(orders.map((one, at) => ask(stores[at], one))))
    expect([200, 409]).toContain(status)
  for (const [at, one] of orders.entries()) expect(await ask(stores[at], one)).toBe(200)
  expect(chain.calls.transfers - before).toBe(1)
}

describe('what a player buys once, at two hosts at the same time', () => {
  it('is charged once, however the name is spelled', { timeout: 600_000 }, async () => {
    for (let round = 0; round < rounds; round++)
      await expectOneCharge([await order(`Pair-${round}`), await order(`pair-${round}`)])
  })

  it('is charged once, though a payment that failed before is sent again', { timeout: 600_000 }, async () => {
    for (let round = 0; round < rounds; round++) {
      const failed = await order(`Again-${round}`)
      chain.faults.settle.push('refused')
      expect(await ask(stores[0], failed)).toBe(402)
      await expectOneCharge([failed, await order(`Again-${round}`)])
    }
  })
})
