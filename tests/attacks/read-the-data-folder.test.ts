import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { sandboxAccounts } from '../../src/config/sandbox-accounts.ts'
import { type RunningMoney, startMoney } from '../support/money.ts'
import { runProgram } from '../support/run-program.ts'
import { type RunningSite, startSite, testBaseUrl, testBuild } from '../support/running-site.ts'
import { payingFetch } from '../support/stock-client.ts'
import { openTestLedger } from '../support/test-databases.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'farthing-open-'))
const dataDir = join(folder, 'data')

let money: RunningMoney
let site: RunningSite
let game: RunningSite

/** Makes a data folder with the permissions that an older version or a careless umask has left behind. */
async function leaveOpen(): Promise<void> {
  mkdirSync(dataDir)
  const db = await openTestLedger(dataDir)
  await db.destroy()
  for (const name of ['products', 'audio', 'voices', 'replaced-2026-01-01T000000Z']) {
    mkdirSync(join(dataDir, name))
    writeFileSync(join(dataDir, name, 'old'), 'secret')
  }
  writeFileSync(join(dataDir, 'oauth.key'), 'k'.repeat(43))
  writeFileSync(join(folder, 'elsewhere'), 'of somebody else')
  symlinkSync(join(folder, 'elsewhere'), join(dataDir, 'audio', 'link'))
  writeFileSync(join(dataDir, 'notes.txt'), 'of the operator')
  for (const name of ['', 'ledger.db', 'products', 'audio'])
    chmodSync(join(dataDir, name), name.includes('.') ? 0o644 : 0o755)
}

const usualUmask = process.umask()
beforeAll(async () => {
  await leaveOpen()
  // The umask of an operator who lets others read and write everything; the programs started here inherit it.
  process.umask(0)
  money = await startMoney({ stateFile: join(dataDir, 'chain.json') })
  const options = { ...money, dataDir, env: { GAME_PORT: '0' } }
  ;[site, game] = await Promise.all([
    startSite(options),
    startSite({ ...options, program: 'game-server/host/main.ts' }),
  ])
})
afterAll(async () => {
  process.umask(usualUmask)
  await Promise.all([site?.kill('SIGTERM'), game?.kill('SIGTERM')])
  await money?.stop()
  rmSync(folder, { recursive: true })
})

const run = (...args: string[]) =>
  runProgram(process.execPath, args, {
    cwd: root,
    env: { PATH: process.env['PATH'] ?? '', BASE_URL: testBaseUrl, DATA_DIR: dataDir },
  })

/** Everything below a folder that others may read, write or enter, each with its mode in octal. */
function findOpen(path: string): string[] {
  return readdirSync(path, { withFileTypes: true }).flatMap((entry) => {
    const at = join(path, entry.name)
    if (entry.isSymbolicLink() || !existsSync(at)) return []
    const mode = lstatSync(at).mode & 0o777
    const inside = entry.isDirectory() ? findOpen(at) : []
    return [...((mode & 0o077) === 0 ? [] : [`${at.slice(dataDir.length + 1)} ${mode.toString(8)}`]), ...inside]
  })
}

it('another user can read nothing that the programs write to the data folder, whatever its permissions were before', async () => {
  const pay = payingFetch(sandboxAccounts.buyer.privateKey, site.fetch)
  expect((await pay(`${testBaseUrl}/skills/x402-seller/raw`)).status).toBe(200)
  const body = JSON.stringify({ text: 'One farthing. '.repeat(130) })
  const headers = { 'content-type': 'application/json' }
  expect((await pay(`${testBaseUrl}/api/x402/media/narrate`, { method: 'POST', headers, body })).status).toBe(200)
  expect((await site.fetch('/api/media/voices.json')).status).toBeLessThan(500)
  await fetch(`http://127.0.0.1:${game.port}/mcp`, {
    method: 'POST',
    headers: { ...headers, accept: 'application/json' },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'dungeon_join', arguments: { name: 'Ada' } },
    }),
  })
  const orders = [
    ['src/commands/job.ts', 'hourly-backup'],
    ['src/commands/operator.ts', 'sign-in'],
    ['src/commands/cup.ts', 'open'],
  ]
  for (const done of await Promise.all(orders.map((order) => run(...order)))) expect(done).toMatchObject({ status: 0 })
  const names = readdirSync(dataDir)
  for (const name of ['ledger.db-wal', 'game.db', 'chain.json', 'narrations', 'backups', 'products'])
    expect(names).toContain(name)
  expect(findOpen(dataDir)).toEqual(['notes.txt 644'])
})

it('the permissions of what links in the data folder lead to, and of the build, are left as they are', async () => {
  expect(lstatSync(join(folder, 'elsewhere')).mode & 0o777).toBe(0o644)
  expect(lstatSync(join(testBuild(), 'client/index.html')).mode & 0o004).toBe(0o004)
})
