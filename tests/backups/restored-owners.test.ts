import { execFile } from 'node:child_process'
import { rmSync } from 'node:fs'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openBackups } from '../../src/backups/make-backup.ts'
import { sandboxAccounts } from '../../src/config/sandbox-accounts.ts'
import { newFolder } from '../support/backed-up-shop.ts'
import { type RunningMoney, startMoney } from '../support/money.ts'
import { type RunningSite, startSite, testBaseUrl } from '../support/running-site.ts'
import { payingFetch } from '../support/stock-client.ts'
import { openLibraryOf } from '../support/wallet-library.ts'

const { buyer, pauper } = sandboxAccounts
/** Two lasting products, and one of a hosted API, which is paid each time and kept for seven days. */
const [skill, posts, work] = ['/skills/feed-doctor/raw', '/api/export/posts', '/api/x402/agent-seo/bot-catalog']

let money: RunningMoney
let site: RunningSite
beforeAll(async () => {
  money = await startMoney()
  site = await startSite(money)
})
afterAll(async () => {
  await site?.kill('SIGTERM')
  await money?.stop()
})

it('gives owners the identical bytes for free after the data folder is lost and restored, and other wallets nothing', async () => {
  const { dataDir } = site
  const folder = newFolder()
  const ask: typeof fetch = (input, init) => site.fetch(input, init)
  const buy = async (path: string) => {
    const answer = await payingFetch(buyer.privateKey, ask)(testBaseUrl + path)
    const { headers } = answer
    return { receipt: headers.get('x-receipt-id'), charged: headers.get('x-charged'), text: await answer.text() }
  }
  const bought = new Map<string, Awaited<ReturnType<typeof buy>>>()
  for (const path of [skill, posts, work]) bought.set(path, await buy(path))
  const before = await openLibraryOf(buyer.privateKey, ask)
  const { prefix } = await openBackups({ dataDir, folder, now: Date.now }).make('hourly', {
    signal: new AbortController().signal,
  })
  await site.kill()
  rmSync(dataDir, { recursive: true })
  const env = { PATH: process.env['PATH'] ?? '', DATA_DIR: dataDir, BACKUP_DIR: folder }
  await promisify(execFile)(process.execPath, ['src/commands/restore.ts', prefix], { env })
  site = await startSite({ ...money, dataDir })

  const balance = await money.balanceOf(buyer.address)
  for (const path of [skill, posts]) expect(await buy(path)).toEqual({ ...bought.get(path), charged: 'false' })
  // What was signed before the restore is not accepted again, whoever sends it.
  const { status } = await ask('/api/library.json', { headers: { cookie: before.cookie } })
  expect([status, (await before.replay()).status]).toEqual([401, 401])
  const library = await openLibraryOf(buyer.privateKey, ask)
  expect((await library.list()).map(({ path }) => path)).toEqual([work, posts, skill])
  for (const [path, { text }] of bought) expect((await library.fetchNewest(path)).toString()).toBe(text)
  expect(await (await openLibraryOf(pauper.privateKey, ask)).list()).toEqual([])
  expect([await money.balanceOf(buyer.address), (await money.transfersTo()).length]).toEqual([balance, 3])
  rmSync(folder, { recursive: true })
})
