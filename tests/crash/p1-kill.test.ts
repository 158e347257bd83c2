import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { expectBalanced } from '../support/books.ts'
import { type DyingSite, type LoadedSite, loadDyingSite } from '../support/dying-sites.ts'
import { figure, limitMs } from '../support/figures.ts'
import { type KillPoint, killPoints } from '../support/kill-points.ts'
import { type RunningMoney, startMoney } from '../support/money.ts'
import { askByFetch, insist, type Purchase, send, signForSkill } from '../support/patient-buyer.ts'
import { startSite } from '../support/running-site.ts'

const kills = figure(51, 2000)
/** Every fourth product is too large for the ledger's row and gets a file. */
const extraBytes = [0, 0, 0, 1_200_000]

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

const sign = (count: number): Promise<Purchase[]> => Promise.all(Array.from({ length: count }, () => signForSkill()))
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

/** Opens a site over what the last one left, and ends it as told. Returns what its end may have cut short. */
async function live(dataDir: string, end: End, left: readonly Purchase[]): Promise<Purchase[]> {
  if (end.is === 'at') {
    const site = await openSpare(dataDir)
    await deliverAll(left, site.port)
    const fresh = await sign(end.buyers)
    await site.arm(end.point, { passes: end.passes })
    for (const { history } of fresh) history.push(`killed ${end.point}, pass ${end.passes}`)
    const sent = await all(fresh, (purchase) => insist(purchase, site.port))
    // A point that is never passed would make this test say nothing.
    if (!sent.includes('cut')) throw new Error(`the site lived through ${end.point}`)
    await site.gone
    return fresh
  }
  const site = end.program === 'own' ? await startSite({ ...money, dataDir }) : await openSpare(dataDir)
  const everyone = [...left, ...(await sign(3))]
  const hasty = AbortSignal.timeout(10)
  const afterMs = Math.random() * 150
  for (const { history } of everyone) history.push(`killed after ${afterMs.toFixed(0)} ms`)
  const sending = all(everyone, (purchase) => insist(purchase, site.port))
  // One more buyer loses patience, so that a product may wait without its buyer.
  const [impatient] = everyone.slice(-1)
  const leaving = impatient && send(impatient, site.port, askByFetch(hasty))
  await delay(afterMs)
  await site.kill('SIGKILL')
  await Promise.all([sending, leaving])
  return everyone
}

it(`delivers and charges every payment exactly once, wherever the site is killed (${kills} kills)`, {
  timeout: limitMs(180_000, 7_200_000),
}, async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'farthing-p1-'))
  const bought: Purchase[] = []
  let left: Purchase[] = []
  for (let kill = 0; kill < kills; kill++) {
    const known = new Set(left)
    left = await live(dataDir, toEnd(kill), left)
    bought.push(...left.filter((purchase) => !known.has(purchase)))
  }
  const last = await openSpare(dataDir)
  await deliverAll(left, last.port)
  await expectBalanced(dataDir, money, bought)
  await last.kill('SIGTERM')
})
