import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { encodeAbiParameters, numberToHex } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { openGameHost } from '../../game-server/host/open-game-host.ts'
import { readConfig } from '../../src/config/config.ts'
import { usdcAddress } from '../../src/core/chain-constants.ts'
import { testWalletPath } from '../../src/core/test-wallet-path.ts'
import { makeChainChecks } from '../../src/health/open-health.ts'
import { watchHealth } from '../../src/health/watch-health.ts'
import { listen } from '../../src/http/listen.ts'
import { cronHealthSchema } from '../../src/jobs/cron-health-schema.ts'
import { makeFacilitator } from '../../src/sandbox/facilitator.ts'
import { serveFacilitator } from '../../src/sandbox/serve-facilitator.ts'
import { openSite } from '../../src/site/open-site.ts'
import { buildWith } from '../support/build-elsewhere.ts'
import { foreignText, startFaultyFacilitator } from '../support/faulty-facilitator.ts'
import { type FaultyRpc, startFaultyRpc } from '../support/faulty-rpc.ts'
import { figure } from '../support/figures.ts'
import { findUnusedPort } from '../support/free-ports.ts'
import { type RunningMoney, startMoney } from '../support/money.ts'
import { testBaseUrl, toLocalFetch } from '../support/running-site.ts'
import { isOnPostgres, toPlace } from '../support/test-databases.ts'

const baseUrl = testBaseUrl.replace('http:', 'https:')
const payTo = privateKeyToAddress(generatePrivateKey())
/** A key as RPC providers have it in their addresses. */
const key = 'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6'
const minutes20 = 20 * 60 * 1000

const readinessSchema = z.object({
  ready: z.boolean(),
  findings: z.array(
    z.object({ name: z.string(), is: z.string(), sentence: z.string(), advice: z.string().optional() }),
  ),
})
const blockSchema = z.looseObject({ timestamp: z.string() })

let money: RunningMoney
let build: ReturnType<typeof buildWith>
beforeAll(async () => {
  money = await startMoney()
  build = buildWith({ mode: 'live', payTo, baseUrl })
  // The pages of the build read these settings from the environment.
  for (const [name, value] of Object.entries({ ...live(), RPC_URL: money.rpcUrl })) vi.stubEnv(name, value)
})
afterAll(async () => {
  await money?.stop()
  build?.remove()
  vi.unstubAllEnvs()
})

const live = () => ({
  FARTHING_MODE: 'live',
  BASE_URL: baseUrl,
  GAME_URL: 'https://undercroft.test',
  PAY_TO_ADDRESS: payTo,
  RATE_LIMITS: 'off',
  FACILITATOR_URL: money.facilitatorUrl,
})

type Looked = ReturnType<typeof look> & { mend: () => void }
type Faults = Partial<Pick<FaultyRpc, 'holds' | 'refuses' | 'lies' | 'clockMs'>>
const truth: Faults = { holds: () => false, refuses: () => undefined, lies: () => undefined, clockMs: Date.now }

interface Shop {
  /** The faults of its RPC, until `mend` is called. */
  faults?: Faults
  env?: Readonly<Record<string, string>>
}

/** Opens a live site in this process over an RPC of its own, and passes what it says of its health to `use`. */
async function openLive({ faults, env }: Shop, use: (site: Looked) => Promise<void>) {
  const rpc = Object.assign(await startFaultyRpc(money.rpcUrl), faults)
  const dataDir = mkdtempSync(join(tmpdir(), 'farthing-live-'))
  const lines: string[] = []
  const place = {
    PORT: '0',
    ...(await toPlace(dataDir)),
    RPC_URL: `${rpc.url}/v2/${key}`,
    JOBS: 'off',
    NARRATION: 'off',
  }
  const config = readConfig({ ...live(), ...place, ...env })
  const site = await openSite(config, build.folder, (event, fields) => lines.push(JSON.stringify({ event, ...fields })))
  const { port } = await listen(site.server, { host: '127.0.0.1', port: 0 })
  if (config.runsJobs) site.startJobs()
  try {
    await use({ ...look(toLocalFetch(port), lines), mend: () => void Object.assign(rpc, truth) })
  } finally {
    site.beginClose()
    site.server.close()
    site.server.closeAllConnections()
    await site.close()
    await rpc.close()
    rmSync(dataDir, { recursive: true })
  }
}

function look(fetch: (path: string) => Promise<Response>, lines: readonly string[]) {
  const readiness = async () => {
    const answer = await fetch('/readyz')
    const { ready, findings } = readinessSchema.parse(await answer.json())
    const wrong = findings.filter(({ is }) => is !== 'ok')
    return { status: answer.status, ready, findings, wrong: wrong.map(({ name, is }) => `${name}: ${is}`) }
  }
  return { fetch, readiness, status: async () => (await fetch('/status.md')).text(), lines }
}

const blockFrom = async (ms: number) => {
  const block = blockSchema.parse(await money.rpc('eth_getBlockByNumber', ['latest', false]))
  const timestamp = numberToHex(Math.floor((Date.now() + ms) / 1000))
  return (method: string) => (method === 'eth_getBlockByNumber' ? { ...block, timestamp } : undefined)
}

const only = (wanted: string, result: unknown) => (method: string) => (method === wanted ? result : undefined)
const off = (ms: number) => () => Date.now() + ms
/** The response of a token that has the name of another network. */
const usdc = encodeAbiParameters([{ type: 'string' }], ['USDC'])

describe('a live shop', () => {
  it('can sell when all its parts are in order', async () => {
    await openLive({}, async ({ fetch, readiness, status, lines }) => {
      const { findings, ...rest } = await readiness()
      expect(findings.map(({ name }) => name)).toEqual([
        ...['ledger', 'settlement', 'facilitator', 'verification'],
        ...['chain', 'token', 'blocks', 'clock', 'disk', 'build'],
      ])
      // The small disk of a test machine may be reported as well.
      expect(rest).toEqual({ status: 200, ready: true, wrong: rest.wrong.filter((each) => each === 'disk: warning') })
      expect(await status()).toContain('Payments: settle.')
      expect(lines.filter((line) => line.includes('failure'))).toEqual([])
      // This page is for the wallet whose key is public, which only sandboxes have.
      expect((await fetch(testWalletPath)).status).toBe(404)
    })
  })

  const ago = async () => ({ lies: await blockFrom(-minutes20) })
  const ahead = async () => ({ lies: await blockFrom(minutes20) })
  type Breaks = () => Faults | Promise<Faults>
  const breakages: readonly [what: string, breaks: Breaks, part: string, sentence: RegExp][] = [
    [
      'whose RPC is of another chain',
      () => ({ lies: only('eth_chainId', '0x1') }),
      'chain',
      /serves chain 1, and payments/,
    ],
    ['whose RPC has another address by now', () => ({ refuses: () => 404 }), 'chain', /not answer.* answers HTTP 404/],
    ['whose RPC knows its key no more', () => ({ refuses: () => 401 }), 'chain', /not answer.* answers HTTP 401/],
    ['whose chain hangs', () => ({ holds: () => true }), 'chain', /gives no answer within 4 seconds/],
    ['whose chain stands still', ago, 'blocks', /is 20 minutes old/],
    ['whose clock is ahead', async () => ({ ...(await ago()), clockMs: off(-minutes20) }), 'clock', /20 minutes ahead/],
    [
      'whose clock is behind',
      async () => ({ ...(await ahead()), clockMs: off(minutes20) }),
      'clock',
      /20 minutes behind/,
    ],
    [
      'whose token is not there',
      () => ({ lies: only('eth_getCode', '0x') }),
      'token',
      /no contract at the token's addr/,
    ],
    ['whose token has another name', () => ({ lies: only('eth_call', usdc) }), 'token', /calls itself \\*"USDC/],
  ]
  // They run at the same time, because each of them mostly waits for its next check.
  const tried = breakages.filter((_, at) => at % figure(2, 1) === 0)
  it.concurrent.for(tried)('%s says so everywhere, and is ready again afterwards', async (breakage, { expect }) => {
    const [, breaks, part, sentence] = breakage
    await openLive({ faults: await breaks() }, async ({ readiness, status, lines, mend }) => {
      const broken = await readiness()
      expect(broken).toMatchObject({ status: 503, ready: false })
      expect(broken.wrong.filter((each) => each.endsWith('failure'))).toEqual([`${part}: failure`])
      const found = broken.findings.find(({ name }) => name === part)
      expect(found?.sentence).toMatch(sentence)
      expect(found?.advice).toBeTruthy()
      expect(await status()).toMatch(sentence)
      const told = lines.filter((line) => line.includes('health.changed'))
      expect(told.join('\n')).toMatch(sentence)
      mend()
      await expect.poll(async () => (await readiness()).status).toBe(200)
      expect(lines.at(-1)).toContain('"is":"ok"')
      expect(JSON.stringify([broken, await status(), lines])).not.toContain(key)
    })
  })

  it('ignores one lost response of its RPC, and reports several in a row', async () => {
    const rpc = await startFaultyRpc(money.rpcUrl)
    const [chain] = makeChainChecks({ rpcUrl: rpc.url, asset: usdcAddress })
    if (!chain) throw new Error('there is no check')
    const health = watchHealth({ checks: [{ ...chain, everyMs: 50 }], onChange: () => {}, report: () => {} })
    const find = async () => (await health.findings()).map(({ is }) => is)
    expect(await find()).toEqual(['ok'])
    const before = rpc.dropped
    rpc.drops = () => rpc.dropped === before
    while (rpc.dropped === before) expect(await find()).toEqual(['ok'])
    for (let time = 0; time < 10; time++) expect(await find()).toEqual(['ok'])
    rpc.drops = () => true
    await expect.poll(find).toEqual(['failure'])
    expect(rpc.dropped).toBeGreaterThan(before + 2)
    await rpc.close()
  })

  it('whose gas key has no ether says so, and is ready once it has some', async () => {
    const privateKey = generatePrivateKey()
    const options = { rpcUrl: money.rpcUrl, privateKey }
    const own = await serveFacilitator(makeFacilitator(options), { port: await findUnusedPort() })
    const env = {
      FACILITATOR_URL: 'self',
      FACILITATOR_PRIVATE_KEY: privateKey,
      FACILITATOR_PORT: new URL(own.url).port,
    }
    const sentence = /The gas wallet pays for 0 more settlements/
    await openLive({ env }, async ({ readiness, status, lines }) => {
      const broken = await readiness()
      expect([broken.status, broken.wrong]).toEqual([503, expect.arrayContaining(['settlement: failure'])])
      expect(await status()).toMatch(sentence)
      expect(lines.join('\n')).toMatch(sentence)
      await money.rpc('anvil_setBalance', [privateKeyToAddress(privateKey), numberToHex(10n ** 18n)])
      await expect.poll(async () => (await readiness()).status).toBe(200)
    })
    await own.close()
  })

  it('whose facilitator is not there says why', async () => {
    const env = { FACILITATOR_URL: `${money.facilitatorUrl}/elsewhere` }
    await openLive({ env }, async ({ readiness, status }) => {
      const broken = await readiness()
      expect([broken.status, broken.wrong]).toEqual([503, expect.arrayContaining(['facilitator: failure'])])
      expect(await status()).toContain('The payment facilitator answers HTTP 404')
    })
  })

  it('with two facilitators sells while one is down, and says which; with both down it cannot', async () => {
    const spare = await startFaultyFacilitator({ upstreamUrl: money.facilitatorUrl })
    const env = { FACILITATOR_URL: `${money.facilitatorUrl}/elsewhere,${spare.url}` }
    const [first, second] = [`${money.facilitatorUrl}/elsewhere`, spare.url].map((url) => url.slice('http://'.length))
    await openLive({ env }, async ({ fetch, readiness, status, lines }) => {
      const half = await readiness()
      expect([half.status, half.ready]).toEqual([200, true])
      expect(half.wrong.filter((each) => each !== 'disk: warning')).toEqual([
        `facilitator ${first}: warning`,
        `verification ${first}: warning`,
      ])
      expect(half.findings).toContainEqual({
        name: 'facilitator',
        is: 'ok',
        sentence: '1 of 2 payment facilitators can be used.',
      })
      const sentence = `The payment facilitator ${first} answers HTTP 404 in a form that no facilitator uses, and is left out.`
      expect(await status()).toContain(sentence)
      expect(lines.filter((line) => line.includes('health.changed')).join()).toContain(sentence)
      const metrics = await (await fetch('/metrics')).text()
      expect(metrics).toContain(`farthing_facilitator_usable{facilitator="${first}"} 0`)
      expect(metrics).toContain(`farthing_facilitator_usable{facilitator="${second}"} 1`)
    })
    await spare.close()
    await openLive({ env }, async ({ readiness, status }) => {
      const broken = await readiness()
      expect([broken.status, broken.ready]).toEqual([503, false])
      expect(broken.wrong).toContain('facilitator: failure')
      expect(await status()).toContain('None of the 2 payment facilitators can be used, so nothing can be sold.')
    })
  })

  it('whose facilitator responds but verifies no payment says so', async () => {
    const facilitator = await startFaultyFacilitator({ upstreamUrl: money.facilitatorUrl })
    facilitator.always.verify = 'status-500-before'
    await openLive({ env: { FACILITATOR_URL: facilitator.url } }, async ({ readiness, status }) => {
      const broken = await readiness()
      expect([broken.status, broken.wrong]).toEqual([503, expect.arrayContaining(['verification: failure'])])
      expect(await status()).toContain('it answers HTTP 500 without a verdict')
      expect(await status()).not.toContain(foreignText)
      facilitator.always = {}
      await expect.poll(async () => (await readiness()).status).toBe(200)
    })
    await facilitator.close()
  })

  it('has a game host that cannot sell either, and says so', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'farthing-live-'))
    const rpc = Object.assign(await startFaultyRpc(money.rpcUrl), { lies: only('eth_chainId', '0x1') })
    const config = readConfig({ ...live(), PORT: '0', ...(await toPlace(dataDir)), RPC_URL: rpc.url })
    const host = await openGameHost(config, build.folder, () => {})
    const { port } = await listen(host.server, { host: '127.0.0.1', port: 0 })
    const { readiness } = look((path) => fetch(`http://127.0.0.1:${port}${path}`), [])
    const broken = await readiness()
    expect([broken.status, broken.wrong]).toEqual([503, expect.arrayContaining(['chain: failure'])])
    Object.assign(rpc, truth)
    await expect.poll(async () => (await readiness()).status).toBe(200)
    host.beginClose()
    host.server.close()
    host.server.closeAllConnections()
    await host.close()
    await rpc.close()
    rmSync(dataDir, { recursive: true })
  })

  // A PostgreSQL database is backed up elsewhere, so that every backup job fails there.
  it.skipIf(isOnPostgres())('whose backups fail says so to people and to monitors, and goes on selling', async () => {
    // Below a file there can be no folder.
    const env = { JOBS: 'on', BACKUP_DIR: join(import.meta.filename, 'backups') }
    await openLive({ env }, async ({ fetch, readiness, status, lines }) => {
      const health = async () => cronHealthSchema.parse(await (await fetch('/api/cron-health.json')).json())
      await expect.poll(async () => (await health()).failing).toContain('hourly-backup')
      const answer = await fetch('/api/cron-health.json')
      const { ok, byTier } = cronHealthSchema.parse(await answer.json())
      expect([answer.status, ok, byTier['hourly-backup']?.ok]).toEqual([200, false, false])
      expect(await status()).toContain('Hourly backup failed: ')
      expect(await status()).toContain('The backups cannot be read.')
      expect((await readiness()).status).toBe(200)
      expect(lines.filter((line) => line.includes('job.failed')).join()).toContain('hourly-backup')
    })
  })
})
