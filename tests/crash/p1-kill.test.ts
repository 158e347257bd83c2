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
/** One of the products of each life is too large for the ledger's row and gets a file. */
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
  /** Some milliseconds after the buyers came, who include those of the life before. */
  | { is: 'random'; program: 'dying' | 'own' }

/** Each point with one buyer, then with several; a third of the kills hits wherever it hits. */
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
  // The next one loads while this one works.
  spare = loadDyingSite(money)
  return loaded.open(dataDir, extraBytes)
}

/** What the life before left behind is delivered now, and again the same. */
async function deliverAll(purchases: readonly Purchase[], port: number): Promise<void> {
  for (let time = 1; time <= 2; time++) {
    const sent = await all(purchases, (purchase) => insist(purchase, port))
    expect(sent).toEqual(purchases.map(() => 'delivered'))
  }
}

/** How a life was left: what its end may have cut short, and what had been paid if nobody can have asked for more. */
interface Left {
  purchases: readonly Purchase[]
  transfers?: number | undefined
}

const transferCount = async (): Promise<number> => (await money.transfersTo()).length
const startOwn = (dataDir: string) => startSite({ ...money, dataDir })

async function liveUntil(end: Extract<End, { is: 'at' }>, dataDir: string, left: Left): Promise<Left> {
  const site = await openSpare(dataDir)
  // A start finds out what was paid, and never asks for money: nobody is waiting for the product.
  if (left.transfers !== undefined) expect(await transferCount()).toBe(left.transfers)
  await deliverAll(left.purchases, site.port)

  const isUnpaid = end.buyers === 1 && killPoints.indexOf(end.point) <= killPoints.indexOf('before settle')
  const transfers = isUnpaid ? await transferCount() : undefined
  const purchases = await sign(end.buyers)
  await site.arm(end.point, { passes: end.passes })
  for (const { history } of purchases) history.push(`killed ${end.point}, pass ${end.passes}`)
  const sent = await all(purchases, (purchase) => insist(purchase, site.port))
  // A point that is never passed would make this test say nothing.
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
  // One buyer has a copy that loses patience.
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
