import { randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import siteConfig from '../../site.config.ts'
import { readConfig } from '../../src/config/config.ts'
import { sandboxAccounts } from '../../src/config/sandbox-accounts.ts'
import { listen } from '../../src/http/listen.ts'
import { readPostsToNarrate } from '../../src/narration/episodes/posts-to-narrate.ts'
import { openStoredEpisodes } from '../../src/narration/episodes/stored-episodes.ts'
import type { Make } from '../../src/offers/make.ts'
import type { Wrappers } from '../../src/site/open-press.ts'
import { openSite } from '../../src/site/open-site.ts'
import { buildFiles } from '../../src/storage/build-folder.ts'
import { openObjectStore } from '../../src/storage/objects/open-object-store.ts'
import { type RunningMoney, startMoney } from '../support/money.ts'
import { type ObjectServer, type StorageFault, startObjectServer } from '../support/object-server.ts'
import { runProgram } from '../support/run-program.ts'
import { testBaseUrl, testBuild, toLocalFetch } from '../support/running-site.ts'
import { sign } from '../support/stock-client.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const secret = 'of both sites, for what they sign and seal'
const path = '/api/x402/agent-seo/bot-catalog'
const { privateKey } = sandboxAccounts.buyer

const mp3 = randomBytes(700_000)
let narration: Awaited<ReturnType<typeof narrate>>
let money: RunningMoney
let server: ObjectServer
const folders: string[] = []
type Shop = Awaited<ReturnType<typeof open>>
const sites: Shop[] = []
/** The headers and bodies of all responses that report an error. */
const reported: string[] = []

/** Counts the products. Each of them gets other bytes, so that work done twice shows. */
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

/** A site with a folder of its own, or one that shares only the ledger in the folder of another site. */
async function open(ledgerOf?: string) {
  const dataDir = mkdtempSync(join(tmpdir(), 'farthing-storage-'))
  folders.push(dataDir)
  if (ledgerOf !== undefined) symlinkSync(join(ledgerOf, 'ledger.db'), join(dataDir, 'ledger.db'))
  const { facilitatorUrl, rpcUrl } = money
  const config = readConfig({
    ...{ BASE_URL: testBaseUrl, PORT: '0', DATA_DIR: dataDir, FACILITATOR_URL: facilitatorUrl, RPC_URL: rpcUrl },
    ...{ JOBS: 'off', NARRATION: 'off', FARTHING_SECRET: secret },
    ...server.env('shop'),
  })
  const lines: string[] = []
  const log = (event: string, fields: object) => lines.push(JSON.stringify({ event, ...fields }))
  const site = await openSite(config, testBuild(), log, wrap)
  const { port } = await listen(site.server, { host: '127.0.0.1', port: 0 })
  const local = toLocalFetch(port)
  const fetch: typeof local = async (...asked) => {
    const answer = await local(...asked)
    if (answer.status >= 400) reported.push(JSON.stringify([...answer.headers]) + (await answer.clone().text()))
    return answer
  }
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

/** Stores a narration as another machine would have made it. */
async function narrate() {
  const [post] = readPostsToNarrate(buildFiles(testBuild()).privateTexts, { album: siteConfig.name })
  const { storage } = readConfig(server.env('shop'))
  if (!post || !storage) throw new Error('there is nothing to narrate')
  const folder = mkdtempSync(join(tmpdir(), 'farthing-narrated-'))
  folders.push(folder)
  const store = openStoredEpisodes({ objects: openObjectStore(storage), folder }, [post])
  const { slug, title, language, storageKey } = post
  const about = { storageKey, slug, title, language, voiceId: 'v', durationMs: 60_000, cues: [], chapters: [] }
  await store.keep({ ...about, sizeBytes: mp3.length, createdAt: new Date().toISOString() }, mp3)
  store.close()
  return { path: `/audio/${storageKey}.mp3`, title }
}

beforeAll(async () => {
  ;[money, server] = await Promise.all([startMoney(), startObjectServer()])
  vi.stubEnv('BASE_URL', testBaseUrl)
  narration = await narrate()
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

/** Runs a command of the shop for this data folder. */
async function run(dataDir: string, ...args: readonly string[]) {
  const { PATH = '' } = process.env
  const place = { BASE_URL: testBaseUrl, FACILITATOR_URL: money.facilitatorUrl, RPC_URL: money.rpcUrl }
  const env = { PATH, ...place, DATA_DIR: dataDir, FARTHING_SECRET: secret, ...server.env('shop') }
  const { status, stdout, stderr } = await runProgram(process.execPath, args, { cwd: root, env })
  return { status, said: stdout.toString() + stderr }
}

/** Asks again while the response is 503, because a busy machine sells a little later. */
async function insist(site: Shop | undefined, header: string): Promise<Response | undefined> {
  for (let tries = 0; tries < 50; tries++) {
    const answer = await site?.ask(header)
    if (answer?.status !== 503) return answer
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  return undefined
}

const bytesOf = async (answer: Response | undefined): Promise<Buffer> =>
  answer ? Buffer.from(await answer.arrayBuffer()) : Buffer.alloc(0)

const signed = async () =>
  (await sign(testBaseUrl + path, undefined, { privateKey, fetch: sites[0]?.fetch ?? fetch })).header

it('what one site sold, another one delivers, although the product never was in its folder', async () => {
  const [first, second] = sites
  const header = await signed()
  const bought = await insist(first, header)
  expect(bought?.status).toBe(200)
  const body = await bytesOf(bought)
  const again = await insist(second, header)
  expect(again?.status).toBe(200)
  expect((await bytesOf(again)).equals(body)).toBe(true)
  expect([made, (await money.transfersTo()).length]).toEqual([1, 1])
  expect(server.keys().filter((key) => !key.startsWith('shop/audio/'))).toEqual([
    'shop/owner',
    expect.stringMatching(/^shop\/products\/[0-9a-f]{64}$/),
  ])
  expect(sites.map(({ dataDir }) => existsSync(join(dataDir, 'products')))).toEqual([false, false])
})

it('a purchase while the storage is away is answered uncharged, and sold to the same signature once it is back', async () => {
  const [first, second] = sites
  const [header, before] = [await signed(), (await money.transfersTo()).length]
  server.fail(() => ({ is: 'refused', status: 403, code: 'AccessDenied' }))
  // A busy machine may refuse for that reason first.
  const refuse = async () => {
    const refused = await first?.ask(header)
    return [refused?.status, await refused?.json()]
  }
  const detail = expect.stringContaining('could not be stored')
  await expect.poll(refuse).toMatchObject([503, { charged: false, retryable: true, detail }])
  expect((await money.transfersTo()).length).toBe(before)
  server.heal()
  expect((await insist(second, header))?.status).toBe(200)
  expect((await money.transfersTo()).length).toBe(before + 1)
})

it('a paid product gets a 503 while the storage is away, and is never paid for twice', async () => {
  const [first, second] = sites
  const header = await signed()
  expect((await insist(first, header))?.status).toBe(200)
  const [before, work] = [(await money.transfersTo()).length, made]
  server.fail(() => ({ is: 'refused', status: 403, code: 'AccessDenied' }))
  const answer = await second?.ask(header)
  expect([answer?.status, await answer?.json()]).toMatchObject([503, { charged: true, retryable: true }])
  server.heal()
  expect((await insist(second, header))?.status).toBe(200)
  expect([(await money.transfersTo()).length, made]).toEqual([before, work])
})

describe('a narration that another machine made', () => {
  const ask = (site: number, headers: Record<string, string> = {}, method = 'GET') =>
    sites[site]?.fetch(narration.path, { method, headers }) ?? Promise.reject(new Error('no site'))

  it('is served by every site, whole and by range, and listed in its feed', async () => {
    for (const site of [0, 1]) {
      const [whole, part, head] = [
        await ask(site),
        await ask(site, { range: 'bytes=1000-1999' }),
        await ask(site, {}, 'HEAD'),
      ]
      expect([whole.status, (await bytesOf(whole)).equals(mp3)]).toEqual([200, true])
      expect([part.status, part.headers.get('content-range')]).toEqual([206, `bytes 1000-1999/${mp3.length}`])
      expect((await bytesOf(part)).equals(mp3.subarray(1000, 2000))).toBe(true)
      expect([head.status, head.headers.get('content-length')]).toEqual([200, String(mp3.length)])
      const etag = whole.headers.get('etag') ?? ''
      expect((await ask(site, { 'if-none-match': etag })).status).toBe(304)
      expect((await ask(site, { range: `bytes=${mp3.length}-` })).status).toBe(416)
      expect(await (await sites[site]?.fetch('/podcast.xml'))?.text()).toContain(narration.path)
    }
  })

  it('is served to its end although the storage breaks off in the middle', async () => {
    let cuts = 0
    // The sites request the list of narrations at times of their own, so that only audio files fail.
    server.fail(({ key }) => (key.endsWith('.mp3') && ++cuts <= 2 ? { is: 'half-answered' } : undefined))
    expect((await bytesOf(await ask(0, { range: 'bytes=100-650000' }))).equals(mp3.subarray(100, 650_001))).toBe(true)
    expect(cuts).toBe(3)
  })

  it('gets a 503 while the storage refuses, and pages go on', async () => {
    server.fail(() => ({ is: 'refused', status: 403, code: 'AccessDenied' }))
    const answer = await ask(0, { range: 'bytes=0-99' })
    expect([answer.status, answer.headers.get('retry-after'), answer.headers.get('content-range')]).toEqual([
      503,
      '5',
      null,
    ])
    expect(await answer.json()).toMatchObject({ status: 503, retryable: true })
    expect((await sites[0]?.fetch('/podcast.xml'))?.status).toBe(200)
  })
})

it('sells and delivers while every fourth request of the storage fails, each signature once', async () => {
  const [before, work] = [(await money.transfersTo()).length, made]
  const faults: StorageFault[] = [
    { is: 'refused', status: 503, code: 'SlowDown' },
    { is: 'answer-lost' },
    { is: 'half-sent' },
    { is: 'half-answered' },
    { is: 'wrong-byte' },
  ]
  let asked = 0
  server.fail(() => (++asked % 4 === 0 ? faults[(asked / 4) % faults.length] : undefined))
  const headers = await Promise.all(Array.from({ length: 4 }, signed))
  for (const header of headers) {
    const [bought, again] = [await insist(sites[0], header), await insist(sites[1], header)]
    expect([bought?.status, again?.status]).toEqual([200, 200])
    expect((await bytesOf(again)).equals(await bytesOf(bought))).toBe(true)
  }
  expect([(await money.transfersTo()).length - before, made - work]).toEqual([4, 4])
  expect(asked).toBeGreaterThan(8)
})

it('the backup job of any machine stores backups there, and any machine can restore them', async () => {
  const [first] = sites
  const job = await run(first?.dataDir ?? '', 'src/commands/job.ts', 'hourly-backup')
  expect(job).toMatchObject({ status: 0, said: expect.stringContaining('hourly-backup is done') })
  const elsewhere = mkdtempSync(join(tmpdir(), 'farthing-elsewhere-'))
  folders.push(elsewhere)
  const manifest = server.keys().find((key) => key.endsWith('/manifest.json')) ?? ''
  const prefix = manifest.slice('shop/backups/'.length, -'/manifest.json'.length)
  const restored = await run(elsewhere, 'src/commands/restore.ts', prefix)
  expect(restored).toMatchObject({ status: 0, said: expect.stringContaining(`restored ${prefix}`) })
  expect(readdirSync(join(elsewhere, 'products'))).toHaveLength((await money.transfersTo()).length)
  expect(job.said + restored.said).not.toMatch(/S3RVER/)
})

it('no page request lists the bucket, and neither the log nor a response contains the key', async () => {
  const before = server.requests.length
  for (const { fetch } of sites)
    for (const page of ['/', '/podcast', '/status', '/readyz', '/metrics', '/api/stats.json', path]) await fetch(page)
  expect(server.requests.slice(before).filter(({ query }) => query.has('list-type'))).toEqual([])
  expect(sites.flatMap(({ lines }) => lines).join('\n')).not.toMatch(/S3RVER/)
  // Buyers and listeners met the faults of the storage above.
  expect(reported.filter((answer) => answer.includes('"status":503')).length).toBeGreaterThanOrEqual(3)
  expect(reported.join('\n')).not.toMatch(/S3RVER|AccessDenied|SignatureDoesNotMatch/)
})
