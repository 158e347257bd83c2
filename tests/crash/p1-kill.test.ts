import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { expectBalanced } from '../support/books.ts'
import { type DyingSite, type LoadedSite, loadDyingSite } from '../support/dying-sites.ts'
import { figure, limitMs } from '../support/figures.ts'
import { type KillPoint, killPoints } from '../support/kill-points.ts'
import { type RunningMoney, startMoney } from '../support/money.ts'
import { askByFetch, insist, type Purchase, send, signForCatalog } from '../support/patient-buyer.ts'
import { startSite } from '../support/running-site.ts'

const kills = figure(51, 2000)
/** Random bytes added to the products of each life. One product is too large for the ledger's row and gets a file. */
const extraBytes = [0, 1_050_000, 0, 0, 0, 0, 0, 0]

let money: RunningMoney
let spare: Promise<LoadedSite>
beforeAll(async () => {
  money = await startMoney()
  spare = loadDyingSite(money)
})
afterAll(async () => {
  await (await spare).kill()
  await money.stop()
})

/** How one life of the site ends. */
type End =
  | { is: 'at'; point: KillPoint; buyers: number; passes: number }
  /** Killed some milliseconds after the buyers have sent their requests, those of the previous life among them. */
  | { is: 'random'; program: 'dying' | 'own' }

/**
 * Two of three kills are at a point, which is tried with one buyer and then with four; every third is at a random time.
 */
function toEnd(kill: number): End {
  const point = killPoints[Math.floor(kill / 3) % killPoints.length] ?? 'before claim'
  if (kill % 3 === 0) return { is: 'at', point, buyers: 1, passes: 1 }
  if (kill % 3 === 1) return { is: 'at', point, buyers: 4, passes: 1 + (Math.floor(kill / 3) % 3) }
  return { is: 'random', program: kill % 12 === 11 ? 'own' : 'dying' }
}

const sign = (count: number): Promise<Purchase[]> => Promise.all(Array.from({ length: count }, () => signForCatalog()))
const all = <T>(purchases: readonly Purchase[], act: (purchase: Purchase) => Promise<T>) =>
  Promise.all(purchases.map(act))

async function openSpare(dataDir: string): Promise<DyingSite> {
  const loaded = await spare
  // The next process loads while this one works.
  spare = loadDyingSite(money)
  return loaded.open(dataDir, extraBytes)
}

/** Checks that the purchases of the previous life are delivered now, and the same when they are sent again. */
async function deliverAll(purchases: readonly Purchase[], port: number): Promise<void> {
  for (let time = 1; time <= 2; time++) {
    const sent = await all(purchases, (purchase) => insist(purchase, port))
    expect(sent).toEqual(purchases.map(() => 'delivered'))
  }
}

/** The purchases that the end of a life may have cut short, and the number of transfers if no settlement was sent. */
interface Left {
  purchases: readonly Purchase[]
  transfers?: number | undefined
}

const transferCount = async (): Promise<number> => (await money.transfersTo()).length
const startOwn = (dataDir: string) => startSite({ ...money, dataDir })

async function liveUntil(end: Extract<End, { is: 'at' }>, dataDir: string, left: Left): Promise<Left> {
  const site = await openSpare(dataDir)
  // A restart reconciles what was paid, and never settles anything, because no buyer is waiting for the product.
  if (left.transfers !== undefined) expect(await transferCount()).toBe(left.transfers)
  await deliverAll(left.purchases, site.port)

  const isUnpaid = end.buyers === 1 && killPoints.indexOf(end.point) <= killPoints.indexOf('before settle')
  const transfers = isUnpaid ? await transferCount() : undefined
  const purchases = await sign(end.buyers)
  await site.arm(end.point, { passes: end.passes })
  for (const { history } of purchases) history.push(`killed ${end.point}, pass ${end.passes}`)
  const sent = await all(purchases, (purchase) => insist(purchase, site.port))
  // If the point is never reached, this test checks nothing.
  if (!sent.includes('cut')) throw new Error(`the site lived through ${end.point}`)
  await site.gone
  return { purchases, transfers }
}

async function liveForAWhile(end: Extract<End, { is: 'random' }>, dataDir: string, left: Left): Promise<Left> {
  const site = end.program === 'own' ? await startOwn(dataDir) : await openSpare(dataDir)
  const purchases = [...left.purchases, ...(await sign(3))]
  const hasty = AbortSignal.timeout(10)
  const afterMs = Math.random() * 150
  for (const { history } of purchases) history.push(`killed after ${afterMs.toFixed(0)} ms`)
  const sending = all(purchases, (purchase) => insist(purchase, site.port))
  // One buyer sends a copy that gives up early.
  const [impatient] = purchases.slice(-1)
  const leaving = impatient && send(impatient, site.port, askByFetch(hasty))
  await delay(afterMs)
  await site.kill('SIGKILL')
  await Promise.all([sending, leaving])
  return { purchases }
}

it(`delivers and charges every payment exactly once, wherever the site is killed (${kills} kills)`, {
  timeout: limitMs(1_800_000, 7_200_000),
}, async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'farthing-p1-'))
  const bought: Purchase[] = []
  let left: Left = { purchases: [] }
  for (let kill = 0; kill < kills; kill++) {
    const known = new Set(left.purchases)
    const end = toEnd(kill)
    left = await (end.is === 'at' ? liveUntil(end, dataDir, left) : liveForAWhile(end, dataDir, left))
    bought.push(...left.purchases.filter((purchase) => !known.has(purchase)))
  }
  const last = await openSpare(dataDir)
  await deliverAll(left.purchases, last.port)
  await expectBalanced(dataDir, money, bought)
  await last.kill('SIGTERM')
  rmSync(dataDir, { recursive: true })
})
