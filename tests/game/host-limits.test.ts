import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { makeGameServer } from '../../game-server/host/http/make-game-server.ts'
import { sandboxPayTo } from '../../src/config/sandbox-accounts.ts'
import { makeLimiter } from '../../src/http/limiter.ts'
import { makeRateLimits } from '../../src/http/rate-limits.ts'
import { type McpGame, startMcpGame } from '../support/mcp-game.ts'
import { pretendChain } from '../support/pretend-chain.ts'
import { getRaw } from '../support/raw-http.ts'
import { signPayment } from '../support/signed-payments.ts'
import { openSocket } from '../support/socket-client.ts'
import { gameUrl, openTestStore, type TestStore } from '../support/test-store.ts'
import { makeTinyBuild } from '../support/tiny-build.ts'

describe('the store', () => {
  let store: TestStore
  let url: string
  let stop: () => Promise<void>
  let from = 0
  beforeEach(() => void from++)

  beforeAll(async () => {
    const { build, remove } = await makeTinyBuild({ files: { 'style.css': 'a{}' } })
    store = await openTestStore({ money: pretendChain({ ms: Date.now() }) })
    const addressOf = ({ headers }: { headers: Record<string, unknown> }) => String(headers['x-from'])
    const limits = makeRateLimits({
      exemptsLoopback: false,
      now: () => 0,
      limits: {
        free: { perSecond: 1, burst: 3 },
        quotes: { perSecond: 1, burst: 3 },
        'failed-payments': { perSecond: 1, burst: 3 },
      },
    })
    const server = makeGameServer({
      config: { baseUrl: 'http://farthing.test', gameUrl, wsUrl: 'ws://game.farthing.test/ws' },
      routes: () => store.routes,
      files: { client: `${build.folder}/client`, manifest: build.manifest },
      notFound: () => new Response(null, { status: 404 }),
      limiter: makeLimiter({ limits, addressOf, isKnownPayment: store.isKnownPayment }),
      addressOf,
      report: ({ error }) => store.logged.push(error),
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    url = `http://127.0.0.1:${z.object({ port: z.number() }).parse(server.address()).port}`
    stop = async () => {
      server.close()
      server.closeAllConnections()
      await store.close()
      await store.db.destroy()
      rmSync(store.dataDir, { recursive: true })
      remove()
    }
  })
  afterAll(() => stop())

  const headers = () => ({ 'x-from': `198.51.100.${from}`, 'content-type': 'application/json' })
  const show = (path: string) => fetch(url + path, { headers: headers() })
  const badge = JSON.stringify({ sku: 'tip_10', playerName: 'Ada' })
  const unlock = (body: string, payment?: string) =>
    fetch(`${url}/api/store/unlock`, {
      method: 'POST',
      headers: { ...headers(), ...(payment !== undefined && { 'payment-signature': payment }) },
      body,
    })
  const amountSchema = z.object({ accepts: z.tuple([z.object({ amount: z.string() })]) })

  it('refuses free requests beyond the limit, and goes on serving static files', async () => {
    const answers = []
    for (let request = 0; request < 4; request++) answers.push(await show('/api/store'))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429])
    expect(answers[0]?.headers.get('ratelimit')).toBe('"free";r=2;t=1')
    expect(answers[3]?.headers.get('retry-after')).toBe('1')
    expect(await answers[3]?.json()).toMatchObject({ type: 'http://farthing.test/problems/rate-limited', status: 429 })
    expect((await show('/style.css')).status).toBe(200)
  })

  it('refuses a Host header with an impossible port, and goes on', async () => {
    const port = Number(new URL(url).port)
    expect((await getRaw(port, '/api/store', { Host: 'farthing.test:99999' })).status).toBe(400)
    expect((await show('/api/store')).status).toBe(200)
  })

  it('quotes a price however often it is asked; beyond the limit the lowest, and without reading the request', async () => {
    const amounts: string[] = []
    for (let request = 0; request < 5; request++) {
      const answer = await unlock(badge)
      expect(answer.status).toBe(402)
      amounts.push(amountSchema.parse(await answer.json()).accepts[0].amount)
    }
    expect(amounts).toEqual(['10000000', '10000000', '10000000', '3000000', '3000000'])
  })

  it('delays an address whose payments fail, but never a payment that it knows', async () => {
    const { header } = await signPayment({ amount: 10_000_000n, payTo: sandboxPayTo, token: 'a-token-of-our-402' })
    expect((await unlock(badge, header)).status).toBe(200)
    const statuses: number[] = []
    for (let request = 0; request < 4; request++) statuses.push((await unlock(badge, 'nonsense')).status)
    expect(statuses).toEqual([402, 402, 402, 429])
    const fresh = await signPayment({ amount: 10_000_000n, payTo: sandboxPayTo })
    expect(await (await unlock(badge, fresh.header)).json()).toMatchObject({ status: 429, charged: false })
    expect((await unlock(badge, header)).status).toBe(200)
    expect(await store.sales()).toBe(1)
  })
})

describe('the tools over HTTP', () => {
  let gameHost: McpGame
  beforeAll(async () => {
    const at = Date.now()
    gameHost = await startMcpGame({ exemptsLoopback: false, now: () => at })
  })
  afterAll(() => gameHost.stop())

  let id = 0
  const call = (name: string, args: object) => ({
    jsonrpc: '2.0',
    id: ++id,
    method: 'tools/call',
    params: { name, arguments: args },
  })
  const post = (body: unknown) =>
    fetch(`${gameHost.gameUrl}/mcp`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify(body),
    })

  it('count as joins over a socket do, whether one by one or several in a message', async () => {
    for (let join = 0; join < 9; join++)
      expect((await post(call('dungeon_join', { name: `Crowd-${join}` }))).status).toBe(200)
    const refused = await post([call('dungeon_join', { name: 'Tenth' }), call('dungeon_join', { name: 'Eleventh' })])
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '6'])
    expect(await refused.json()).toMatchObject({ type: 'http://site.test/problems/rate-limited', retryable: true })
    // Neither was admitted, so that one more join is still allowed.
    expect((await post(call('dungeon_join', { name: 'Tenth' }))).status).toBe(200)
    // Looking around has a limit of its own.
    expect((await post(call('dungeon_look', {}))).status).toBe(200)
    const client = await openSocket(gameHost.wsUrl)
    client.send({ type: 'join', name: 'By socket', kind: 'agent' })
    expect(await client.next('error')).toMatchObject({ code: 'rate_limited' })
    await client.close()
  })
})
