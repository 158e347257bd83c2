import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { expectBalanced } from '../support/books.ts'
import { type DyingSite, loadDyingSite } from '../support/dying-sites.ts'
import { expireLease } from '../support/expire-lease.ts'
import { figure } from '../support/figures.ts'
import { killPoints } from '../support/kill-points.ts'
import { type RunningMoney, startMoney } from '../support/money.ts'
import { insist, type Purchase, send, signForCatalog } from '../support/patient-buyer.ts'
import { toLocalFetch } from '../support/running-site.ts'
import { canMount, type SmallDisk, smallDisks } from '../support/small-disk.ts'

let money: RunningMoney
beforeAll(async () => {
  money = await startMoney()
})
afterAll(() => money.stop())

const transferCount = async (): Promise<number> => (await money.transfersTo()).length

describe.each(smallDisks.slice(0, figure(1, smallDisks.length)))('when the disk is full (%s)', (_, makeDisk) => {
  let disk: SmallDisk
  let site: DyingSite
  let before: number
  const bought: Purchase[] = []
  const sign = async (): Promise<Purchase> => {
    const purchase = await signForCatalog()
    bought.push(purchase)
    return purchase
  }
  beforeAll(async () => {
    disk = makeDisk()
    before = await transferCount()
    site = await (await loadDyingSite(money)).open(disk.folder)
  })
  afterEach(() => disk.free(site.pid))
  afterAll(async () => {
    await expectBalanced(disk.folder, money, bought, before)
    await site.kill('SIGTERM')
    disk.remove()
  })

  it('the site serves everything as before, except that it sells nothing and says so', async () => {
    const fetch = toLocalFetch(site.port)
    const paid = await sign()
    expect(await insist(paid, site.port)).toBe('delivered')
    const transfers = await transferCount()
    disk.fill(site.pid)
    for (const [path, status] of [
      ['/', 200],
      ['/api/catalog.json', 200],
      ['/api/stats.json', 200],
      ['/healthz', 200],
      ['/skills/x402-seller/raw', 402],
    ] as const)
      expect([path, (await fetch(path)).status]).toEqual([path, status])

    const purchase = await sign()
    expect(await send(purchase, site.port)).toBe('later')
    expect(purchase.history).toEqual(['503, charged: false'])
    expect(await transferCount()).toBe(transfers)

    disk.free(site.pid)
    expect(await insist(purchase, site.port)).toBe('delivered')
    expect(await transferCount()).toBe(transfers + 1)
  })

  it('readiness says that the ledger takes no writes, until it does again', async () => {
    const ask = async () => {
      const ready = await toLocalFetch(site.port)('/readyz')
      return [ready.status, await ready.json()]
    }
    disk.fill(site.pid)
    expect(await ask()).toMatchObject([503, { ready: false, ledger: false }])
    disk.free(site.pid)
    expect(await ask()).toMatchObject([200, { ready: true, ledger: true }])
  })

  it('earlier purchases are delivered, or their buyers are told clearly to come again', async () => {
    const purchase = await sign()
    expect(await insist(purchase, site.port)).toBe('delivered')
    disk.fill(site.pid)
    expect(await send(purchase, site.port)).not.toBe('cut')
    expect(purchase.history.at(-1)).not.toBe('503, charged: false')
    disk.free(site.pid)
    expect(await send(purchase, site.port)).toBe('delivered')
  })

  it.each(killPoints)('%s, the buyer is told to come again, and gets what was paid for', async (point) => {
    const purchase = await sign()
    const transfers = await transferCount()
    const said = site.output().length
    await site.arm(point, { signal: 'SIGSTOP' })
    const first = send(purchase, site.port)
    await site.frozen()
    disk.fill(site.pid)
    await site.thaw()
    const sent = await first
    // A buyer who is told that nothing was charged must not have been charged.
    const isCharged = (await transferCount()) > transfers
    if (purchase.history.at(-1) === '503, charged: false') expect(isCharged).toBe(false)
    const isStored = killPoints.indexOf(point) >= killPoints.indexOf('after keepForSettlement')
    if (!isStored) expect([sent, isCharged]).toEqual(['later', false])
    // The operator can read the reason in the log, whichever step failed.
    if (sent === 'later') expect(site.output().slice(said)).toMatch(/disk is full|disk I\/O error/)
    disk.free(site.pid)
    await expireLease(disk.folder, purchase.nonce)
    expect(await insist(purchase, site.port)).toBe('delivered')
    expect(await transferCount()).toBe(transfers + 1)
  })
})

describe.runIf(canMount)('when a product does not fit on the disk', () => {
  it('nothing is charged and nothing is left behind, and the same signature buys it when there is space', async () => {
    const [, makeDisk] = smallDisks[0] ?? []
    const disk = makeDisk?.()
    if (!disk) throw new Error('there is no small disk')
    const before = await transferCount()
    const site = await (await loadDyingSite(money)).open(disk.folder, [1_200_000])
    disk.fill(site.pid, 800_000)
    const purchase = await signForCatalog()
    expect(await send(purchase, site.port)).toBe('later')
    expect(purchase.history).toEqual(['503, charged: false'])
    expect(readdirSync(join(disk.folder, 'products'))).toEqual([])
    expect(await transferCount()).toBe(before)
    disk.free(site.pid)
    expect(await send(purchase, site.port)).toBe('delivered')
    expect(readdirSync(join(disk.folder, 'products'))).toHaveLength(1)
    await expectBalanced(disk.folder, money, [purchase], before)
    await site.kill('SIGTERM')
    disk.remove()
  })
})
