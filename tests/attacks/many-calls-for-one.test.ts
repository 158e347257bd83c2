import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { connectBuyer } from '../support/mcp-buyer.ts'
import { type McpGame, startMcpGame } from '../support/mcp-game.ts'
import { type RunningMoney, startMoney } from '../support/money.ts'
import { type RunningSite, startSite } from '../support/running-site.ts'

let id = 0
const message = (method: string, params: object = {}) => ({ jsonrpc: '2.0', id: ++id, method, params })
const call = (name: string, args: object, payment?: unknown) =>
  message('tools/call', { name, arguments: args, ...(payment !== undefined && { _meta: { 'x402/payment': payment } }) })
const many = <Each>(count: number, make: (at: number) => Each): Each[] =>
  Array.from({ length: count }, (_, at) => make(at))

const headers = { 'content-type': 'application/json', accept: 'application/json' }
const answers = z.array(z.object({ id: z.number() }))

/** How many messages a batch may have. */
const whole = 20
/** So many requests are within every limit if each is one message, and beyond all limits if each is a whole batch. */
const requests = 60

describe('the tools of the site', () => {
  let money: RunningMoney
  let site: RunningSite
  beforeAll(async () => {
    money = await startMoney()
    site = await startSite({ ...money, env: { RATE_LIMITS: 'on', TRUSTED_PROXIES: '1' } })
  })
  afterAll(async () => {
    await site.kill()
    await money.stop()
  })

  let caller = 0
  const nextCaller = () => `198.51.100.${++caller}`
  const post = (body: unknown, from: string) =>
    site.fetch('/api/mcp', {
      method: 'POST',
      headers: { ...headers, 'x-forwarded-for': from },
      body: JSON.stringify(body),
    })
  const countServed = async (batches: readonly unknown[], from: string): Promise<number> => {
    const all = await Promise.all(batches.map((batch) => post(batch, from)))
    return all.filter(({ status }) => status === 200).length
  }

  // One second restores the allowance for one batch of free messages, or for half a batch of quotes.
  it.each([
    ['that are free', () => message('ping'), 10],
    ['of tools that sell', () => call('buy_skill', { slug: 'x402-seller' }), 5],
    ['of tools that do not exist', () => call('no_such_tool', {}), 10],
  ])('count a batch of 20 calls %s as 20', async (_, make, burst) => {
    const served = await countServed(
      many(requests, () => many(whole, make)),
      nextCaller(),
    )
    expect([served >= burst, served < requests / 2]).toEqual([true, true])
  })

  it('count a batch of 20 invalid payments as 20 failed payments', async () => {
    const from = nextCaller()
    const junk = (at: number) => call('buy_skill', { slug: 'x402-seller' }, `junk ${at}`)
    const first = await post(many(whole, junk), from)
    expect([first.status, answers.parse(await first.json()).length]).toEqual([200, whole])
    const second = await post(many(whole, junk), from)
    expect([second.status, second.headers.get('ratelimit')?.split(';')[0]]).toEqual([429, '"failed-payments"'])
    expect(await second.json()).toMatchObject({ charged: false })
  })

  it('let a batch repeat an earlier purchase beyond the limit, but not with other payments in it', async () => {
    const from = nextCaller()
    const sameCaller: typeof fetch = (input, init) => {
      const asked = new Request(input, init)
      asked.headers.set('x-forwarded-for', from)
      return site.fetch(asked)
    }
    const buyer = await connectBuyer(sameCaller)
    const { payment } = await buyer.buy('buy_skill', { slug: 'x402-buyer' })
    const begun = call('buy_skill', { slug: 'x402-buyer' }, payment)
    const junk = many(whole, (at) => call('buy_skill', { slug: 'x402-seller' }, `junk ${at}`))
    expect((await post(junk, from)).status).toBe(200)
    expect((await post([begun, ...junk.slice(1)], from)).status).toBe(429)
    expect((await post([begun, { ...begun, id: ++id }], from)).status).toBe(200)
    await buyer.close()
  })

  it('refuse a batch as a whole, and count nothing of it, when one call is beyond its limit', async () => {
    const from = nextCaller()
    const quote = () => call('buy_skill', { slug: 'x402-seller' })
    await countServed(many(2 * requests, quote), from)
    // Several at once: on a slow machine there may be room for the first again.
    const mixed = await Promise.all(many(10, () => post([message('ping'), ...many(whole - 1, quote)], from)))
    const [refused, ...others] = mixed.filter(({ status }) => status === 429)
    expect(refused?.headers.get('ratelimit')?.split(';')[0]).toBe('"quotes"')
    const free = await post(message('ping'), from)
    const left = Number(/r=(\d+)/.exec(free.headers.get('ratelimit') ?? '')?.[1])
    const served = mixed.length - others.length - 1
    expect(left).toBeGreaterThanOrEqual(199 - served)
  })

  it('do not answer batches within batches', async () => {
    const from = nextCaller()
    const nested = await post(
      many(3, () => many(whole, () => message('ping'))),
      from,
    )
    expect([nested.status, (await nested.text()).includes('"result"')]).toEqual([400, false])
    const empty = await countServed(
      many(300, () => []),
      from,
    )
    expect(empty).toBe(0)
  })

  it('count requests whose batch is too long', async () => {
    const from = nextCaller()
    const statuses = (
      await Promise.all(
        many(requests, () =>
          post(
            many(1000, () => message('ping')),
            from,
          ),
        ),
      )
    ).map(({ status }) => status)
    expect(new Set(statuses)).toEqual(new Set([400, 429]))
  })
})

describe('the tools of the game', () => {
  let gameHost: McpGame
  let at = Date.now()
  beforeAll(async () => {
    gameHost = await startMcpGame({ exemptsLoopback: false, now: () => at })
  })
  afterAll(() => gameHost.stop())
  const post = (body: unknown) =>
    fetch(`${gameHost.gameUrl}/mcp`, { method: 'POST', headers, body: JSON.stringify(body) })
  const join = (name: string) => call('dungeon_join', { name })

  it('count a batch of 20 as 20, and refuse it as a whole', async () => {
    const statuses: number[] = []
    for (let request = 0; request < 12; request++)
      statuses.push((await post(many(whole, () => message('ping')))).status)
    expect(statuses).toEqual([...many(10, () => 200), 429, 429])
    at += 60_000
    expect((await post(many(whole + 1, () => message('ping')))).status).toBe(400)
    const nested = await post(many(3, () => many(whole, () => message('ping'))))
    expect([nested.status, (await nested.text()).includes('"result"')]).toEqual([400, false])
  })

  it('let nobody in with a batch that has more joins than are left, and count none of them', async () => {
    at += 60_000
    expect((await post(many(9, (number) => join(`Crowd-${number}`)))).status).toBe(200)
    expect((await post([join('Tenth'), join('Eleventh')])).status).toBe(429)
    expect(gameHost.gameHost.game.findByName('Tenth')).toBeUndefined()
    expect((await post(join('Tenth'))).status).toBe(200)
    expect((await post(join('Eleventh'))).status).toBe(429)
  })
})
