import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { z } from 'zod'
import { jobTable } from '../../src/jobs/job-table.ts'
import { openLedgerDatabase } from '../../src/storage/open-ledger-database.ts'
import { fetchThrough, openSocketThrough } from '../support/ask-proxy.ts'
import { expectBalanced } from '../support/books.ts'
import { type ComposedProgram, layComposed } from '../support/composed-programs.ts'
import { isHere, type RunningProxy, startProxy } from '../support/deployed-proxies.ts'
import { type RunningMoney, startMoney } from '../support/money.ts'
import { type ObjectServer, startObjectServer } from '../support/object-server.ts'
import { type Ask, insist, type Purchase, signForCatalog } from '../support/patient-buyer.ts'
import { testGameUrl } from '../support/running-service.ts'
import { testBaseUrl } from '../support/running-site.ts'
import { databaseUrlOf } from '../support/test-databases.ts'

/** The folder that the database with the books is named after. */
const books = mkdtempSync(join(tmpdir(), 'farthing-books-'))
const bought: Purchase[] = []
let money: RunningMoney
let objects: ObjectServer
let databaseUrl: string
let programs: ReturnType<typeof layComposed>
let sites: [ComposedProgram, ComposedProgram]
let games: [ComposedProgram, ComposedProgram]
let proxy: RunningProxy

beforeAll(async () => {
  if (!isHere('caddy')) return
  ;[money, objects, databaseUrl] = await Promise.all([
    startMoney(),
    startObjectServer(),
    databaseUrlOf(books).then((url) => url ?? ''),
  ])
  const { STORAGE_URL, ...storage } = objects.env('shop')
  const shop = {
    BASE_URL: testBaseUrl,
    GAME_URL: testGameUrl,
    RPC_URL: money.rpcUrl,
    FACILITATOR_URL: money.facilitatorUrl,
    TRUSTED_PROXIES: '1',
    DATABASE_URL: databaseUrl,
    FARTHING_SECRET: 'a secret that all of them are given alike',
    // Settings of one machine, which the environments of the containers override.
    DATA_DIR: '/nowhere',
    BACKUP_DIR: '/nowhere',
  }
  programs = layComposed('deploy/compose.several.yaml', {
    'shop.env': shop,
    'site.env': { STORAGE_URL, NARRATION: 'off' },
    'storage.env': storage,
  })
  // In the order of the file, because the first site creates the tables.
  const first = programs.start('site-1')
  await first.listening
  sites = [first, programs.start('site-2')]
  games = [programs.start('game-1'), programs.start('game-2')]
  const listening = ({ listening: port }: ComposedProgram) => port
  const [site, otherSite, game, otherGame] = await Promise.all([
    listening(sites[0]),
    listening(sites[1]),
    listening(games[0]),
    listening(games[1]),
  ])
  proxy = await startProxy('caddy', { site, game, others: { sites: [otherSite], games: [otherGame] } })
})
beforeEach(({ skip }) => skip(!isHere('caddy'), 'caddy is not installed here; .ci/run installs it'))
afterAll(async () => {
  await Promise.all([...(sites ?? []), ...(games ?? [])].map((program) => program.stop()))
  await proxy?.stop()
  await objects?.stop()
  await money?.stop()
})

/** Asks through the proxy, whichever site that chooses. */
const ask: Ask = async (_, path, signature) => {
  const response = await fetchThrough(proxy)(testBaseUrl + path, { headers: { 'payment-signature': signature } })
  const body = new Uint8Array(await response.arrayBuffer())
  return { status: response.status, header: (name) => response.headers.get(name), body }
}
async function buy(): Promise<string> {
  const purchase = await signForCatalog()
  bought.push(purchase)
  return insist(purchase, 0, { ask, pauseMs: 60 })
}
const readySchema = z.looseObject({ ready: z.boolean(), findings: z.array(z.looseObject({ name: z.string() })) })

it('sells through the proxy, from either site, with the database and the storage that both share', async () => {
  for (let nth = 0; nth < 4; nth++) expect(await buy()).toBe('delivered')
  await expectBalanced(books, money, bought)
  for (const { listening } of sites) {
    const at = `http://127.0.0.1:${await listening}`
    const { ready, findings } = readySchema.parse(await (await fetch(`${at}/readyz`)).json())
    expect([ready, findings]).toEqual([
      true,
      expect.arrayContaining([expect.objectContaining({ name: 'storage', is: 'ok' })]),
    ])
    const metrics = await (await fetch(`${at}/metrics`)).text()
    expect(metrics).toMatch(/^farthing_sales_total\{.*\} [1-9]/m)
  }
})

it('goes on selling while the sites are replaced one after the other', async () => {
  for (const at of [0, 1] as const) {
    const selling = Promise.all(Array.from({ length: 6 }, buy))
    expect(await sites[at].stop()).toBe(0)
    expect(new Set(await selling)).toEqual(new Set(['delivered']))
    expect(await buy()).toBe('delivered')
    const port = await sites[at].listening
    sites[at] = programs.start(`site-${at + 1}`, { as: `site-${at + 1}-again`, port })
    await sites[at].listening
  }
  await expectBalanced(books, money, bought)
})

it('runs each job once when it is due, although both sites run jobs', async () => {
  const db = await openLedgerDatabase('', databaseUrl)
  const runs = () => db.selectFrom('job_run').select(['job', 'origin']).execute()
  await expect.poll(async () => new Set((await runs()).map(({ job }) => job)).size).toBe(jobTable.length)
  const due = await db
    .selectFrom('job_run')
    .select(({ fn }) => ['job', 'due_at', fn.countAll<string>().as('times')])
    .where('origin', '=', 'schedule')
    .groupBy(['job', 'due_at'])
    .execute()
  await db.destroy()
  expect(new Set(due.map(({ job }) => job)).size).toBe(jobTable.length)
  expect(due.filter(({ times }) => Number(times) !== 1)).toEqual([])
})

const player = { type: 'join', name: 'Sevenfold', kind: 'agent', obs: 'json' }

it('keeps every key press that was answered while the game hosts are replaced one after the other', async () => {
  let client = await openSocketThrough(proxy)
  client.send(player)
  const { resumeToken, realm } = await client.next('welcome')
  await client.next('obs')
  let turn = 0
  let returns = 0
  const press = async () => {
    client.send({ type: 'input', key: '.', n: ++turn })
    expect(await client.next('obs')).toMatchObject({ turn })
  }
  await press()
  for (const at of [0, 1] as const) {
    const port = await games[at].listening
    expect(await games[at].stop()).toBe(0)
    // Neither the life of the player nor its socket has to be at this host.
    const code = await Promise.race([client.closed, delay(500)])
    if (code) {
      expect(code).toBe(1012)
      client = await openSocketThrough(proxy)
      client.send({ ...player, resumeToken })
      expect(await client.next('welcome')).toMatchObject({ resumed: true, realm })
      expect(await client.next('obs')).toMatchObject({ turn })
      returns++
    }
    await press()
    games[at] = programs.start(`game-${at + 1}`, { as: `game-${at + 1}-again`, port })
    await games[at].listening
  }
  expect(returns).toBeGreaterThan(0)
  await client.close()
})
