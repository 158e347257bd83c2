import { existsSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest'
import { readConfig } from '../../src/config/config.ts'
import { sandboxAccounts } from '../../src/config/sandbox-accounts.ts'
import { listen } from '../../src/http/listen.ts'
import type { Make } from '../../src/offers/make.ts'
import type { Wrappers } from '../../src/site/open-press.ts'
import { openSite } from '../../src/site/open-site.ts'
import { type RunningMoney, startMoney } from '../support/money.ts'
import { type ObjectServer, startObjectServer } from '../support/object-server.ts'
import { testBaseUrl, testBuild, toLocalFetch } from '../support/running-site.ts'
import { sign } from '../support/stock-client.ts'

const path = '/api/x402/agent-seo/bot-catalog'
const { privateKey } = sandboxAccounts.buyer

let money: RunningMoney
let server: ObjectServer
const folders: string[] = []
const sites: Awaited<ReturnType<typeof open>>[] = []

/** The same sale is never the same bytes, so that work done twice shows. */
let made = 0
const makeLarge =
  (make: Make): Make =>
  async (...asked) => {
    const product = await make(...asked)
    made += 1
    return { ...product, body: Buffer.concat([product.body, Buffer.alloc(1_200_000, `${made} `)]) }
  }
const asItIs = <Part>(part: Part): Part => part
const wrap: Wrappers = { ledger: asItIs, facilitator: asItIs, oracle: asItIs, products: asItIs, make: makeLarge }

/** A site with a folder of its own; of another site it has the ledger alone. */
async function open(ledgerOf?: string) {
  const dataDir = mkdtempSync(join(tmpdir(), 'farthing-storage-'))
  folders.push(dataDir)
  if (ledgerOf !== undefined) symlinkSync(join(ledgerOf, 'ledger.db'), join(dataDir, 'ledger.db'))
  const { facilitatorUrl, rpcUrl } = money
  const config = readConfig({
    ...{ BASE_URL: testBaseUrl, PORT: '0', DATA_DIR: dataDir, FACILITATOR_URL: facilitatorUrl, RPC_URL: rpcUrl },
    ...{ JOBS: 'off', NARRATION: 'off', FARTHING_SECRET: 'of both sites, for what they sign and seal' },
    ...server.env('shop'),
  })
  const lines: string[] = []
  const log = (event: string, fields: object) => lines.push(JSON.stringify({ event, ...fields }))
  const site = await openSite(config, testBuild(), log, wrap)
  const { port } = await listen(site.server, { host: '127.0.0.1', port: 0 })
  const fetch = toLocalFetch(port)
  const close = async () => {
    site.beginClose()
    site.server.close()
    site.server.closeAllConnections()
    await site.close()
  }
  return {
    dataDir,
    fetch,
    lines,
    close,
    ask: (header: string) => fetch(path, { headers: { 'payment-signature': header } }),
  }
}

beforeAll(async () => {
  ;[money, server] = await Promise.all([startMoney(), startObjectServer()])
  vi.stubEnv('BASE_URL', testBaseUrl)
  const first = await open()
  sites.push(first, await open(first.dataDir))
})
afterEach(() => server.heal())
afterAll(async () => {
  for (const site of sites) await site.close()
  await server.stop()
  await money.stop()
  for (const folder of folders) rmSync(folder, { recursive: true })
  vi.unstubAllEnvs()
})

const signed = async () =>
  (await sign(testBaseUrl + path, undefined, { privateKey, fetch: sites[0]?.fetch ?? fetch })).header

it('what one site sold another delivers, from a folder in which it never was', async () => {
  const [first, second] = sites
  const header = await signed()
  const bought = await first?.ask(header)
  expect(bought?.status).toBe(200)
  const body = Buffer.from((await bought?.arrayBuffer()) ?? [])
  const again = await second?.ask(header)
  expect(again?.status).toBe(200)
  expect(Buffer.compare(Buffer.from((await again?.arrayBuffer()) ?? []), body)).toBe(0)
  expect([made, (await money.transfersTo()).length]).toEqual([1, 1])
  expect(server.keys()).toEqual(['shop/owner', expect.stringMatching(/^shop\/products\/[0-9a-f]{64}$/)])
  expect(sites.map(({ dataDir }) => existsSync(join(dataDir, 'products')))).toEqual([false, false])
})

it('a purchase while the storage is away is answered uncharged, and sold to the same signature once it is back', async () => {
  const [first, second] = sites
  const [header, before] = [await signed(), (await money.transfersTo()).length]
  server.fail(() => ({ is: 'refused', status: 403, code: 'AccessDenied' }))
  const refused = await first?.ask(header)
  expect([refused?.status, await refused?.json()]).toEqual([
    503,
    expect.objectContaining({
      charged: false,
      retryable: true,
      detail: expect.stringContaining('could not be stored'),
    }),
  ])
  expect((await money.transfersTo()).length).toBe(before)
  server.heal()
  expect((await second?.ask(header))?.status).toBe(200)
  expect((await money.transfersTo()).length).toBe(before + 1)
})

it('no request lists the bucket, and neither log nor answer holds the key', async () => {
  for (const { fetch } of sites)
    for (const page of ['/', '/podcast', '/status', '/readyz', '/metrics', '/api/stats.json', path]) await fetch(page)
  expect(server.requests.filter(({ query }) => query.has('list-type'))).toEqual([])
  expect(sites.flatMap(({ lines }) => lines).join('\n')).not.toMatch(/S3RVER/)
})
