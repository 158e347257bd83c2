import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openLedgerDatabase } from '../../src/storage/open-ledger-database.ts'
import { expectAgreed } from '../support/books.ts'
import { type DyingSite, loadDyingSite } from '../support/dying-sites.ts'
import { limitMs, ownFigure } from '../support/figures.ts'
import { type RunningMoney, startMoney } from '../support/money.ts'
import { type ObjectServer, startObjectServer } from '../support/object-server.ts'
import { askByFetch, type Purchase, type Sent, send, signForCatalog } from '../support/patient-buyer.ts'
import { type PostgresServer, startPostgres } from '../support/postgres-server.ts'
import { readRows } from '../support/read-ledger.ts'

const seconds = ownFigure(15, 120)
const buyers = 200
/** How often each signature is sent, and how many of these are under way at once. */
const copies = 20
const atOnce = 4
/** Some products are too large for the books, and lie in the storage. */
const extraBytes = [0, 0, 0, 0, 0, 0, 0, 0, 0, 1_300_000]

let money: RunningMoney
let server: PostgresServer
let objects: ObjectServer
const folders = Array.from({ length: 3 }, () => mkdtempSync(join(tmpdir(), 'farthing-storm-')))
/** Those that are up. */
const sites = new Map<number, DyingSite>()
let kills = 0
let isOver = false
/** Programs that are on their way back. */
const starting = new Set<Promise<void>>()

beforeAll(async () => {
  money = await startMoney()
  ;[server, objects] = await Promise.all([startPostgres(), startObjectServer()])
  await open(0)
  await Promise.all([open(1), open(2)])
})
afterAll(async () => {
  isOver = true
  await Promise.all(starting)
  await Promise.all([...sites.values()].map((site) => site.kill()))
  await objects?.stop()
  await server?.remove()
  await money?.stop()
})

async function open(at: number): Promise<void> {
  const loaded = await loadDyingSite(money, {
    // The database of this test is named by its address.
    TEST_ENGINE: 'none',
    DATABASE_URL: server.url,
    FARTHING_SECRET: 'a secret that all three are given alike',
    ...objects.env('shop'),
  })
  sites.set(at, await loaded.open(folders[at] ?? '', extraBytes))
}

/** A program that finds no database ends, and is started again. */
async function revive(at: number): Promise<void> {
  while (!sites.has(at) && !isOver) await open(at).catch(() => delay(300))
}

/** The number below `count` that comes next. */
const random = (count: number): number => Math.floor(Math.random() * count)

const bought: Purchase[] = []

/** Sends one copy until it is answered with the product, to whichever site is up. */
async function insistAnywhere(purchase: Purchase): Promise<void> {
  let sent: Sent = 'later'
  while (sent !== 'delivered') {
    const up = [...sites.values()]
    const { port } = up[random(up.length)] ?? {}
    if (port !== undefined) sent = await send(purchase, port, askByFetch(AbortSignal.timeout(60_000)))
    if (sent !== 'delivered') await delay(100 + random(400))
  }
}

async function buyUntil(end: number): Promise<void> {
  do {
    const purchase = await signForCatalog()
    bought.push(purchase)
    let left = copies
    const line = async (): Promise<void> => {
      while (left-- > 0) await insistAnywhere(purchase)
    }
    await Promise.all(Array.from({ length: atOnce }, line))
  } while (Date.now() < end)
}

async function killOneAfterTheOther(end: number): Promise<void> {
  for (; Date.now() < end; await delay(1000)) {
    const at = random(folders.length)
    const site = sites.get(at)
    if (!site) continue
    sites.delete(at)
    await site.kill('SIGKILL')
    kills++
    const back = revive(at).finally(() => starting.delete(back))
    starting.add(back)
  }
}

/** Twice the server ends, the second time as in a power cut, and once it stands still. */
async function troubleDatabase(ms: number): Promise<void> {
  const part = ms / 4
  for (const isCrash of [false, true]) {
    await delay(part)
    await server.stop(isCrash)
    await delay(500)
    await server.start()
  }
  await delay(part / 2)
  await server.pause(Math.min(10_000, ms / 6))
}

it(`three sites on one database sell each of ${buyers} buyers what was paid for, once, through ${seconds} seconds of kills`, {
  timeout: limitMs(600_000, 1_800_000),
}, async () => {
  const ms = seconds * 1000
  const end = Date.now() + ms
  objects.fail(() => (random(10) === 0 ? { is: 'refused', status: 503, code: 'SlowDown' } : undefined))
  const crowd = Promise.all(Array.from({ length: buyers }, () => buyUntil(end)))
  await Promise.all([killOneAfterTheOther(end), troubleDatabase(ms)])
  objects.heal()
  await Promise.all(starting)
  await crowd

  expect(kills).toBeGreaterThan(seconds / 4)
  for (const { deliveries, history } of bought) expect(deliveries, history.join(', ')).toBe(copies)
  const db = await openLedgerDatabase('', server.url)
  await expectAgreed(await readRows(db), money, bought)
  await db.destroy()
  expect(objects.keys().length).toBeGreaterThan(0)
  console.log(`${bought.length} sales, ${kills} kills, ${objects.requests.length} requests of the storage`)
})
