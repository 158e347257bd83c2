import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectBalanced } from '../support/books.ts'
import { type DyingSite, loadDyingSite } from '../support/dying-sites.ts'
import { expireLease, prolongLease } from '../support/expire-lease.ts'
import { figure, limitMs } from '../support/figures.ts'
import { type KillPoint, killPoints } from '../support/kill-points.ts'
import { type RunningMoney, startMoney } from '../support/money.ts'
import { type Ask, insist, type Purchase, send, signForCatalog } from '../support/patient-buyer.ts'
import { readLedger } from '../support/read-ledger.ts'
import { type RunningSite, startSite } from '../support/running-site.ts'

/** Rounds for each of the two kinds of program. */
const rounds = figure(3, 100)
const copies = 50

let money: RunningMoney
beforeAll(async () => {
  money = await startMoney()
})
afterAll(() => money.stop())

const open = async (dataDir: string): Promise<DyingSite> => (await loadDyingSite(money)).open(dataDir)
const newFolder = (): string => mkdtempSync(join(tmpdir(), 'farthing-two-'))

/** Sends requests over the sockets of an agent; without an agent, over a new socket each. */
const askByHttp =
  (agent: Agent | false): Ask =>
  (port, path, signature) =>
    new Promise((resolve, reject) => {
      const options = { host: '127.0.0.1', port, path, agent, headers: { 'payment-signature': signature } }
      get(options, (response) => {
        const header = (name: string) => response.headers[name]?.toString() ?? null
        const status = response.statusCode ?? 0
        response.toArray().then((chunks) => resolve({ status, header, body: Buffer.concat(chunks) }), reject)
      }).on('error', reject)
    })

describe.each([
  ['of our own kind', (dataDir: string) => startSite({ ...money, dataDir })],
  ['that make every product anew', open],
])(`two site processes %s on one ledger`, (_, start: (dataDir: string) => Promise<RunningSite | DyingSite>) => {
  it(`sell once and deliver one product for ${copies} copies of a signature (${rounds} rounds)`, {
    timeout: limitMs(600_000, 1_800_000),
  }, async () => {
    const before = (await money.transfersTo()).length
    const dataDir = newFolder()
    // Both start at the same time, so that both find a ledger without tables.
    const sites = await Promise.all([start(dataDir), start(dataDir)])
    const agent = new Agent({ keepAlive: true, maxSockets: 12 })
    const bought: Purchase[] = []
    for (let round = 0; round < rounds; round++) {
      const purchase = await signForCatalog()
      bought.push(purchase)
      const asks = [askByHttp(agent), askByHttp(false)]
      const sent = await Promise.all(
        Array.from({ length: copies }, (_, copy) => {
          const site = sites[copy % 2] ?? sites[0]
          const ask = asks[(copy >> 1) % 2] ?? asks[0]
          return insist(purchase, site.port, { ...(ask && { ask }), pauseMs: 60 })
        }),
      )
      expect(sent).toEqual(Array.from({ length: copies }, () => 'delivered'))
      expect([purchase.deliveries, purchase.delivered.size]).toEqual([copies, 1])
    }
    agent.destroy()
    const made = sites.map((site) => ('made' in site ? site.made() : 0)).reduce((sum, count) => sum + count)
    if (made > 0) expect(made).toBe(rounds)
    await Promise.all(sites.map((site) => site.kill('SIGTERM')))
    await expectBalanced(dataDir, money, bought, before)
    rmSync(dataDir, { recursive: true })
  })
})

describe('when one of two processes', () => {
  let dataDir: string
  let other: DyingSite
  let before: number
  const bought: Purchase[] = []
  beforeAll(async () => {
    before = (await money.transfersTo()).length
    dataDir = newFolder()
    other = await open(dataDir)
  })
  afterAll(async () => {
    await expectBalanced(dataDir, money, bought, before)
    await other.kill('SIGTERM')
    rmSync(dataDir, { recursive: true })
  })
  const sign = async (): Promise<Purchase> => {
    const purchase = await signForCatalog()
    bought.push(purchase)
    return purchase
  }

  it.each<KillPoint>(['after claim', 'after keepForSettlement', 'after settle', 'before recordSale'])(
    'is killed %s, the other takes its lease over at once',
    async (point) => {
      const dying = await open(dataDir)
      const purchase = await sign()
      await dying.arm(point)
      expect(await send(purchase, dying.port)).toBe('cut')
      await dying.gone
      expect((await readLedger(dataDir)).rows).toContainEqual(
        expect.objectContaining({
          nonce: purchase.nonce,
          state: point === 'after claim' ? 'working' : 'settling',
        }),
      )
      await prolongLease(dataDir, purchase.nonce)
      expect(await insist(purchase, other.port)).toBe('delivered')
    },
  )

  describe('is frozen for longer than its lease', () => {
    let freezing: DyingSite
    beforeAll(async () => {
      freezing = await open(dataDir)
    })
    afterAll(() => freezing.kill())

    it.each(killPoints)('%s, the other finishes, and the first can undo and repeat nothing', async (point) => {
      const purchase = await sign()
      await freezing.arm(point, { signal: 'SIGSTOP' })
      const slow = send(purchase, freezing.port)
      await freezing.frozen()
      // While the lease is valid, no other process touches the row.
      const holdsLease =
        killPoints.indexOf(point) > 0 && killPoints.indexOf(point) < killPoints.indexOf('after recordSale')
      if (holdsLease) expect(await send(purchase, other.port)).toBe('later')
      await expireLease(dataDir, purchase.nonce)
      expect(await insist(purchase, other.port)).toBe('delivered')
      await freezing.thaw()
      expect(await slow).not.toBe('cut')
      expect(await insist(purchase, freezing.port)).toBe('delivered')
      expect(await insist(purchase, other.port)).toBe('delivered')
    })
  })
})
