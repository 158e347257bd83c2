import { execFile } from 'node:child_process'
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { openBackups } from '../../src/backups/make-backup.ts'
import { sandboxAccounts } from '../../src/config/sandbox-accounts.ts'
import { newFolder } from '../support/backed-up-shop.ts'
import { loadDyingSite } from '../support/dying-sites.ts'
import { limitMs } from '../support/figures.ts'
import { playToDeath, startGameHost } from '../support/game-host.ts'
import { type RunningMoney, startMoney } from '../support/money.ts'
import { insist, signForCatalog } from '../support/patient-buyer.ts'
import { compiled } from '../support/run-program.ts'
import { startSite } from '../support/running-site.ts'
import { sign } from '../support/stock-client.ts'

const gameUrl = 'http://undercroft.test'
const unlockUrl = `${gameUrl}/api/store/unlock`
const order = {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ sku: 'tip_3', playerName: 'Patron' }),
}

let money: RunningMoney
beforeAll(async () => {
  money = await startMoney()
})
afterAll(() => money.stop())

/** Starts both programs on one data folder. The second product that the site makes is too large for the ledger. */
async function startPress(dataDir: string) {
  const [site, host] = await Promise.all([
    loadDyingSite(money).then((loaded) => loaded.open(dataDir, [0, 1_200_000])),
    startSite({
      ...money,
      dataDir,
      program: 'game-server/host/main.ts',
      env: { GAME_PORT: '0', GAME_URL: gameUrl, WS_URL: 'ws://undercroft.test/ws' },
    }),
  ])
  const ask = (port: number, path: string, token?: string) =>
    fetch(
      `http://127.0.0.1:${port}${path}`,
      token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } },
    )
  return {
    site,
    ask: (path: string) => ask(site.port, path),
    askHost: (path: string, token?: string) => ask(host.port, path, token),
    fetchHost: (...[input, init]: Parameters<typeof fetch>) =>
      fetch(String(input).replace(gameUrl, `http://127.0.0.1:${host.port}`), init),
    async die() {
      await Promise.all([site.kill(), host.kill()])
    },
  }
}

/** Plays one life in the daily dungeon to its end, which earns credits. */
async function playOneLife(dataDir: string): Promise<string> {
  const shop = await startGameHost({ folder: dataDir, inputLimits: { perSecond: 1e9, burst: 1e9 } })
  const joined = await shop.dungeon.join({ name: 'Ada', kind: 'agent', mode: 'daily' })
  if (joined.is === 'refused') throw new Error('nobody may play')
  await playToDeath(shop, joined.token)
  await shop.stop()
  return joined.token
}

it('brings sales, receipts, products, players and lives back after the data folder is lost', {
  timeout: limitMs(600_000, 600_000),
}, async () => {
  const dataDir = newFolder()
  const folder = newFolder()
  const ada = await playOneLife(dataDir)
  const press = await startPress(dataDir)
  const [small, large] = [await signForCatalog(), await signForCatalog()]
  for (const purchase of [small, large]) expect(await insist(purchase, press.site.port)).toBe('delivered')
  expect(readdirSync(join(dataDir, 'products'))).toHaveLength(1)
  const { privateKey } = sandboxAccounts.buyer
  const { header } = await sign(unlockUrl, order, { privateKey, fetch: press.fetchHost, maxAmountPerPayment: '$3' })

  /** Everything that a user could miss. */
  async function look({ ask, askHost, fetchHost }: Awaited<ReturnType<typeof startPress>>) {
    const paid = { ...order, headers: { ...order.headers, 'payment-signature': header } }
    const unlocked = await (await fetchHost(unlockUrl, paid)).text()
    const { resumeToken, transaction } = z
      .object({ resumeToken: z.string(), transaction: z.string() })
      .parse(JSON.parse(unlocked))
    const { updatedAt: _, ...statistics } = z
      .looseObject({ updatedAt: z.string(), last30Days: z.array(z.object({ date: z.string(), count: z.number() })) })
      .parse(await (await ask('/api/stats.json')).json())
    // The window of 30 days moves at midnight, so that only days with sales are compared.
    const stats = { ...statistics, last30Days: statistics.last30Days.filter(({ count }) => count > 0) }
    const receipts = [small, large].flatMap(({ delivered }) => [...delivered].map((it) => it.split(' ')[1]))
    const { leaderboard } = z.looseObject({}).parse(await (await askHost('/api/leaderboard')).json())
    return {
      stats,
      unlocked,
      transaction,
      receipts: await Promise.all(receipts.map(async (id) => (await ask(`/api/receipts/${id}.json`)).text())),
      patron: await (await askHost('/api/store/entitlements?player=Patron', resumeToken)).json(),
      ada: await (await askHost('/api/store/entitlements?player=Ada', ada)).json(),
      lives: [leaderboard, await (await askHost('/api/deaths')).json()],
    }
  }

  const before = await look(press)
  expect(before).toMatchObject({
    stats: { totalTransactions: 2 },
    patron: { badges: ['badge_tip'] },
    // Ten credits for the day, and more if the life reached deeper levels.
    ada: { credits: expect.toSatisfy((credits) => credits >= 10) },
  })
  expect(JSON.stringify(before.lives)).toContain('Ada')
  const { signal } = new AbortController()
  const { prefix } = await openBackups({ dataDir, folder, now: Date.now }).make('hourly', { signal })
  await press.die()
  rmSync(dataDir, { recursive: true })

  const env = { ...compiled(), PATH: process.env['PATH'] ?? '', DATA_DIR: dataDir, BACKUP_DIR: folder }
  await promisify(execFile)(process.execPath, ['src/commands/restore.ts', prefix], { env })
  const again = await startPress(dataDir)
  expect(await look(again)).toEqual(before)
  const transfers = (await money.transfersTo()).length
  for (const purchase of [small, large]) {
    expect(await insist(purchase, again.site.port)).toBe('delivered')
    // Another byte, receipt or transaction would be a second delivery.
    expect(purchase.delivered.size).toBe(1)
  }
  expect([again.site.made(), (await money.transfersTo()).length]).toEqual([0, transfers])
  await again.die()
  for (const each of [dataDir, folder]) rmSync(each, { recursive: true })
})
