import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { sandboxAccounts } from '../../src/config/sandbox-accounts.ts'
import { askByHttp2, fetchThrough, headerBytes, openSocketThrough } from '../support/ask-proxy.ts'
import { isHere, type RunningProxy, startProxy } from '../support/deployed-proxies.ts'
import { type RunningMoney, startMoney } from '../support/money.ts'
import { tellPost, testGameUrl } from '../support/running-service.ts'
import { type RunningSite, startSite, testBaseUrl } from '../support/running-site.ts'
import { payingFetch } from '../support/stock-client.ts'

/** The settings of a shop behind one proxy. Limits apply to this machine as well, so that callers are told apart. */
const env = { TRUSTED_PROXIES: '1', RATE_LIMITS: 'on', GAME_URL: testGameUrl, GAME_PORT: '0' }
const narrate = {
  url: `${testBaseUrl}/api/x402/media/narrate`,
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ text: 'A farthing was a quarter of a penny.' }),
}
/** More failed payments than one address may send, including those that are forgiven in a minute. */
const flood = 100

let money: RunningMoney
let site: RunningSite
let game: RunningSite
let storageKey: string
const dataDir = mkdtempSync(join(tmpdir(), 'farthing-proxied-'))
beforeAll(async () => {
  storageKey = await tellPost(join(dataDir, 'audio'))
  money = await startMoney()
  site = await startSite({ ...money, dataDir, env })
  game = await startSite({ ...money, dataDir, env, program: 'game-server/host/main.ts' })
})
afterAll(async () => {
  await Promise.all([site?.kill('SIGTERM'), game?.kill('SIGTERM')])
  await money?.stop()
})

describe.each(['nginx', 'caddy'] as const)('behind %s as deploy/ sets it up', (name) => {
  let proxy: RunningProxy
  beforeAll(async () => {
    if (isHere(name)) proxy = await startProxy(name, { site: site.port, game: game.port })
  })
  beforeEach(({ skip }) => skip(!isHere(name), `${name} is not installed here; .ci/run installs it`))
  afterAll(async () => {
    await proxy?.stop()
  })

  it('an offer arrives although its headers have more than 4 KB, and so does what is bought', async () => {
    const asked = await fetchThrough(proxy)(narrate.url, narrate)
    expect([asked.status, headerBytes(asked) > 4096]).toEqual([402, true])
    const pay = payingFetch(sandboxAccounts.buyer.privateKey, fetchThrough(proxy))
    const paid = await pay(narrate.url, narrate)
    expect([paid.status, paid.headers.get('content-type')]).toEqual([200, 'audio/mpeg'])
    expect(paid.headers.get('payment-response')).not.toBeNull()
    expect((await paid.arrayBuffer()).byteLength).toBe(Number(paid.headers.get('content-length')))
  })

  it('a payment of 12 KB reaches the site, which says itself what is wrong with it', async () => {
    const headers = { ...narrate.headers, 'payment-signature': 'A'.repeat(12 * 1024) }
    const answer = await fetchThrough(proxy)(narrate.url, { ...narrate, headers })
    expect([answer.status, answer.headers.has('x-request-id')]).toEqual([402, true])
  })

  it('a player joins over the socket and sees the dungeon', async () => {
    const player = await openSocketThrough(proxy)
    player.send({ type: 'join', name: name === 'nginx' ? 'Nina' : 'Cadmus', kind: 'agent' })
    await player.next('welcome')
    expect(await player.next('obs')).toMatchObject({ type: 'obs' })
    await player.close()
  })

  it('a client whose payments keep failing is limited alone, whatever address it claims to have', async () => {
    const from = { nginx: '127.0.0.21', caddy: '127.0.0.22' }[name]
    const ask = (caller: string, at: number) =>
      fetchThrough(proxy, caller)(narrate.url, {
        ...narrate,
        headers: { ...narrate.headers, 'payment-signature': 'nonsense', 'x-forwarded-for': `198.51.100.${at}` },
      })
    const statuses = (await Promise.all(Array.from({ length: flood }, (_, at) => ask(from, at)))).map(
      ({ status }) => status,
    )
    expect(new Set(statuses)).toEqual(new Set([402, 429]))
    expect((await ask('127.0.0.23', 0)).status).toBe(402)
  })

  it('a range of a narration arrives as it was asked for', async () => {
    const url = `${testBaseUrl}/audio/${storageKey}.mp3`
    const whole = Buffer.from(await (await site.fetch(url)).arrayBuffer())
    const part = await fetchThrough(proxy)(url, { headers: { range: 'bytes=100-299' } })
    expect([part.status, part.headers.get('content-range')]).toEqual([206, `bytes 100-299/${whole.length}`])
    expect(Buffer.from(await part.arrayBuffer()).equals(whole.subarray(100, 300))).toBe(true)
  })

  it('pages are served over HTTP/2', async () => {
    expect(await askByHttp2(proxy, '/')).toBe(200)
  })

  // Caddy only limits how much of a body is read, and a program may have responded before that.
  it.runIf(name === 'nginx')('a body that is too large for every program is refused by the proxy', async () => {
    const answer = await fetchThrough(proxy)(narrate.url, { ...narrate, body: 'x'.repeat(3 * 1024 * 1024) })
    expect(answer.status).toBe(413)
    expect(answer.headers.has('x-request-id')).toBe(false)
  })
})

it('a request that comes while the site is restarted waits for it behind Caddy', async ({ skip }) => {
  skip(!isHere('caddy'), 'caddy is not installed here; .ci/run installs it')
  const proxy = await startProxy('caddy', { site: site.port, game: game.port })
  await site.kill('SIGTERM')
  const asked = fetchThrough(proxy)(`${testBaseUrl}/api/stats.json`)
  site = await startSite({ ...money, dataDir, env: { ...env, PORT: String(site.port) } })
  expect((await asked).status).toBe(200)
  await proxy.stop()
})
