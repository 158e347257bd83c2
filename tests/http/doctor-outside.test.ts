import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { makeOutsideChecks } from '../../src/commands/doctor/outside-checks.ts'
import { readConfig } from '../../src/config/config.ts'
import { sandboxAccounts, sandboxPayTo } from '../../src/config/sandbox-accounts.ts'
import { makePass, mirrorSecretFile } from '../../src/http/mirror-pass.ts'
import { readSecret } from '../../src/storage/read-secret.ts'
import { buildFor } from '../support/build-elsewhere.ts'
import { type ProxyFaults, startFaultyProxy } from '../support/faulty-proxy.ts'
import { findFreePorts } from '../support/free-ports.ts'
import { type RunningMoney, startMoney } from '../support/money.ts'
import { runProgram } from '../support/run-program.ts'
import { type RunningSite, startSite } from '../support/running-site.ts'
import { makeThrowAwayCa } from '../support/throw-away-ca.ts'

type Proxy = Awaited<ReturnType<typeof startFaultyProxy>>

const root = fileURLToPath(new URL('../../', import.meta.url))
const dataDir = mkdtempSync(join(tmpdir(), 'farthing-outside-'))
const ca = makeThrowAwayCa()
const caFile = join(dataDir, 'ca.pem')
writeFileSync(caFile, ca.cert)
const good = ca.certify('localhost')
const usualCas = getCACertificates('default')

let money: RunningMoney
let site: RunningSite
let game: RunningSite
let front: Proxy
let gameFront: Proxy
let build: ReturnType<typeof buildFor>
let env: Record<string, string>

beforeAll(async () => {
  setDefaultCACertificates([...usualCas, ca.cert])
  money = await startMoney()
  front = await startFaultyProxy(good)
  gameFront = await startFaultyProxy(good)
  const baseUrl = `https://localhost:${front.port}`
  env = {
    ...{ BASE_URL: baseUrl, GAME_URL: `https://localhost:${gameFront.port}`, TRUSTED_PROXIES: '1' },
    ...{ FACILITATOR_URL: money.facilitatorUrl, RPC_URL: money.rpcUrl, DATA_DIR: dataDir, GAME_PORT: '0' },
  }
  build = buildFor(baseUrl)
})
afterAll(async () => {
  setDefaultCACertificates(usualCas)
  await Promise.all([site?.kill('SIGTERM'), game?.kill('SIGTERM')])
  front?.close()
  gameFront?.close()
  await money?.stop()
  build?.remove()
  rmSync(dataDir, { recursive: true, force: true })
})

/** What each check finds, by the name of the check. */
async function look(more: Readonly<Record<string, string>> = {}) {
  const checks = makeOutsideChecks(readConfig({ ...env, ...more }))
  const found = await Promise.all(checks.map(async ({ name, run }) => [name, await run()] as const))
  return Object.fromEntries(found.map(([name, looked]) => [name, looked ?? { is: 'untold', sentence: '' }]))
}

/** The checks with another result than `ok`, each with that result. */
const wrongOf = (found: Awaited<ReturnType<typeof look>>) =>
  Object.entries(found).flatMap(([name, { is }]) => (is === 'ok' ? [] : [`${name}: ${is}`]))

describe('before anything runs', () => {
  it('names and certificates are checked, and the rest is left for later', async () => {
    const found = await look()
    expect(wrongOf(found)).toEqual([
      'headers: later',
      'terms: untold',
      'callers: later',
      'caches: untold',
      'socket: later',
    ])
    expect(found['dns']?.sentence).toMatch(/^localhost resolves to (?:127\.0\.0\.1|::1)/)
    expect(found['tls']?.sentence).toContain('is valid for another 20 days')
    expect(found['headers']?.sentence).toContain('a proxy answers HTTP 502); run this again when it is')
  })

  it('everything but the name is left for later where there is no proxy yet', async () => {
    const origin = `https://localhost:${await findFreePorts()}`
    const nowhere = { BASE_URL: origin, GAME_URL: origin }
    expect(wrongOf(await look(nowhere))).toEqual([
      'tls: later',
      'headers: later',
      'terms: untold',
      'callers: later',
      'caches: later',
      'socket: later',
    ])
  })

  it('a name that leads nowhere is a failure, and one that only this machine knows a warning', async () => {
    const found = await look({ GAME_URL: 'https://nowhere.invalid' })
    expect(found['dns']).toMatchObject({ is: 'failure', sentence: 'The name nowhere.invalid does not resolve.' })
    const live = { FARTHING_MODE: 'live', PAY_TO_ADDRESS: '0x5115115115115115115115115115115115115115' }
    expect((await look(live))['dns']).toMatchObject({ is: 'warning', sentence: expect.stringContaining('127.0.0.1') })
  })

  it.each([
    ['expired', () => ca.certify('localhost', 'expired'), 'failure', /expired 24 hours ago|expired 1 day/],
    [
      'self-signed',
      () => ca.certify('localhost', 'self-signed'),
      'failure',
      /not from an authority that clients trust/,
    ],
    ['for another name', () => ca.certify('other.example'), 'failure', /is for another name/],
    ['about to end', () => ca.certify('localhost', 'ending'), 'warning', /is valid for another 5 days/],
  ])('a certificate that is %s is reported', async (_, certify, is, words) => {
    front.show(certify())
    const { tls } = await look()
    front.show(good)
    expect(tls).toMatchObject({ is, sentence: expect.stringMatching(words), advice: expect.any(String) })
  })
})

describe('while the shop runs behind its proxy', () => {
  beforeAll(async () => {
    const options = { ...money, dataDir, build: build.folder, env }
    ;[site, game] = await Promise.all([
      startSite(options),
      startSite({ ...options, program: 'game-server/host/main.ts' }),
    ])
    front.lead(site.port)
    gameFront.lead(game.port)
  })
  beforeEach(() => {
    front.set({})
    gameFront.set({})
  })

  it('everything is in order behind a proxy that does what deploy/ describes', async () => {
    expect(wrongOf(await look())).toEqual([])
    front.set({ forwardedFor: 'written anew' })
    expect(wrongOf(await look())).toEqual([])
  })

  it.each<[string, ProxyFaults, string, RegExp]>([
    ['takes payments out', { strips: ['payment-signature'] }, 'headers: failure', /PAYMENT-SIGNATURE is taken out/],
    [
      'caps requests at 4 KB',
      { mostRequestBytes: 4096 },
      'headers: failure',
      /does not reach the site: it is answered with HTTP 400/,
    ],
    ['caps answers at 4 KB', { mostAnswerBytes: 4096 }, 'headers: failure', /terms of 8 KB does not get out.*HTTP 502/],
    [
      'takes terms out',
      { hides: ['payment-required'] },
      'headers: failure',
      /PAYMENT-REQUIRED is taken out of answers/,
    ],
    ['takes terms out of a 402', { hides: ['payment-required'] }, 'terms: failure', /402 arrives without the header/],
    ['takes the ids of requests out', { hides: ['x-request-id'] }, 'caches: warning', /X-Request-Id is removed/],
    ['puts a page in place of a 402', { coversErrors: true }, 'terms: failure', /gets HTTP 200 instead of 402/],
    ['keeps answers', { caches: true }, 'caches: warning', /caches answers that must not be cached/],
    ['takes Cache-Control out', { hides: ['cache-control'] }, 'caches: warning', /changes Cache-Control/],
    [
      'hides callers',
      { forwardedFor: 'left out' },
      'callers: warning',
      /All visitors of the site look like one address/,
    ],
    ['believes callers', { forwardedFor: 'passed on' }, 'callers: failure', /Anybody can claim any address/],
    [
      'stands behind another',
      { forwardedFor: 'appended twice' },
      'callers: warning',
      /2 of the proxies.*TRUSTED_PROXIES is 1/,
    ],
  ])('a proxy that %s is reported', async (_, faults, wrong, words) => {
    front.set(faults)
    const found = await look()
    expect(wrongOf(found)).toContain(wrong)
    const looked = found[wrong.split(':')[0] ?? '']
    expect(looked).toMatchObject({ sentence: expect.stringMatching(words), advice: expect.any(String) })
  })

  it('a proxy that refuses upgrades keeps players out', async () => {
    gameFront.set({ refusesUpgrades: true })
    const found = await look()
    expect(wrongOf(found)).toEqual(['socket: failure'])
    expect(found['socket']?.sentence).toContain('answered with HTTP 404')
  })

  it('the mirror responds only to a valid pass for this program that is to expire soon', async () => {
    const secret = readSecret(mirrorSecretFile(dataDir))
    const { BASE_URL = '', GAME_URL = '' } = env
    const ask = async (pass?: string) =>
      (
        await site.fetch(`http://127.0.0.1:${site.port}/api/mirror`, {
          headers: pass === undefined ? {} : { authorization: `Bearer ${pass}` },
        })
      ).status
    const soon = Date.now() + 10_000
    const passes = [undefined, secret, makePass(secret, GAME_URL, soon), makePass('x'.repeat(43), BASE_URL, soon)]
    passes.push(makePass(secret, BASE_URL, Date.now() - 1), makePass(secret, BASE_URL, Date.now() + 3_600_000))
    expect(await Promise.all(passes.map(ask))).toEqual(passes.map(() => 404))
    expect(await ask(makePass(secret, BASE_URL, soon))).toBe(200)
    expect(await (await site.fetch('/openapi.json')).text()).not.toContain('/api/mirror')
  })

  const { PATH = '' } = process.env
  const run = (args: readonly string[], more: Readonly<Record<string, string>> = {}) =>
    runProgram(process.execPath, ['src/commands/doctor.ts', ...args], {
      cwd: root,
      env: { PATH, ...env, NODE_EXTRA_CA_CERTS: caFile, XDG_STATE_HOME: dataDir, ...more },
    })

  it('the command reports everything, buys the cheapest product when asked to, and shows the transfer', async () => {
    const before = (await money.transfersTo()).length
    const { status, stdout, stderr } = await run(['--purchase'], {
      FARTHING_PRIVATE_KEY: sandboxAccounts.buyer.privateKey,
    })
    const said = stdout.toString()
    expect([status, stderr.includes('Error')]).toEqual([0, false])
    for (const name of ['settings', 'memory', 'dns', 'tls', 'headers', 'terms', 'callers', 'caches', 'socket'])
      expect(said).toMatch(new RegExp(`^(?:ok|WARNING) +${name} `, 'm'))
    expect(said).toMatch(/buying “.+” for \$0\.05, more than a cent/)
    expect(said).toContain(`$0.05 moved from ${sandboxAccounts.buyer.address} to ${sandboxPayTo}`)
    expect(said).toMatch(/transaction 0x[0-9a-f]{64}, seen on the chain in block \d+/)
    expect(said).toMatch(/receipt https:.*\n\{[\s\S]*"r_[0-9a-f]{32}"/)
    expect(said + stderr).not.toContain(sandboxAccounts.buyer.privateKey.slice(2))
    expect((await money.transfersTo()).length).toBe(before + 1)
  })

  it('nothing is bought above the allowed price', async () => {
    const before = (await money.transfersTo()).length
    const { status, stderr } = await run(['--purchase', '--max-usd', '0.01'], {
      FARTHING_PRIVATE_KEY: sandboxAccounts.buyer.privateKey,
    })
    expect([status, stderr]).toEqual([1, 'it costs more than $0.01, so nothing was bought; --max-usd allows more\n'])
    expect((await money.transfersTo()).length).toBe(before)
  })
})
