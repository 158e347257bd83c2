import { generateKeyPairSync } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { readConfig } from '../../src/config/config.ts'
import { sandboxAccounts, sandboxPayTo } from '../../src/config/sandbox-accounts.ts'
import { network, usdcAddress } from '../../src/core/chain-constants.ts'
import { makeChainOracle } from '../../src/payments/chain/chain-oracle.ts'
import { readPayment } from '../../src/payments/wire/read-payment.ts'
import { toRequirements } from '../../src/payments/wire/requirements.ts'
import { makeFacilitator } from '../../src/sandbox/facilitator.ts'
import { serveFacilitator } from '../../src/sandbox/serve-facilitator.ts'
import { openFacilitator } from '../../src/site/open-facilitator.ts'
import { makeChainActions } from '../support/chain-actions.ts'
import { openChainShop } from '../support/chain-shop.ts'
import { findUnusedPort } from '../support/free-ports.ts'
import { type RunningMoney, startMoney } from '../support/money.ts'
import { startPretendCdp } from '../support/pretend-cdp.ts'
import { type SignedPayment, signPayment } from '../support/signed-payments.ts'

const price = 100_000n
const deadlineMs = 4000
const id = 'organizations/0f3b/apiKeys/1402'
const key = generateKeyPairSync('ed25519').privateKey
const jwk = key.export({ format: 'jwk' })
const secret = Buffer.concat([Buffer.from(String(jwk.d), 'base64url'), Buffer.from(String(jwk.x), 'base64url')])
const open: { close: () => Promise<void> }[] = []

let money: RunningMoney
/** Another facilitator on the same chain, with gas of its own. */
let other: Awaited<ReturnType<typeof serveFacilitator>>
let hands: ReturnType<typeof makeChainActions>
beforeAll(async () => {
  money = await startMoney()
  const { privateKey } = sandboxAccounts.relayer
  other = await serveFacilitator(makeFacilitator({ rpcUrl: money.rpcUrl, privateKey, pollingIntervalMs: 25 }), {
    port: await findUnusedPort(),
  })
  hands = makeChainActions(money.rpcUrl)
})
afterEach(async () => {
  await Promise.all(open.splice(0).map((each) => each.close()))
})
afterAll(async () => {
  await other?.close()
  await money?.stop()
})

/** Two facilitators, the first of which wants signed requests, and a shop that knows both. */
async function openShop(about: { network?: string; env?: Record<string, string>; isFirstGone?: boolean } = {}) {
  const first = await startPretendCdp({ upstreamUrl: money.facilitatorUrl, keys: { [id]: key }, ...about })
  const second = await startPretendCdp({ upstreamUrl: other.url })
  open.push(second)
  if (about.isFirstGone) await first.close()
  else open.push(first)
  const shop = await openShopAt({
    FACILITATOR_URL: `${first.url}, ${second.url}/`,
    CDP_BASE_URL: first.origin,
    ...about.env,
  })
  return { first, second, ...shop }
}

async function openShopAt(env: Record<string, string>) {
  const config = readConfig({ CDP_API_KEY_ID: id, CDP_API_KEY_SECRET: secret.toString('base64'), ...env })
  const asked: string[] = []
  const facilitator = openFacilitator(config, {
    asked: (name, operation, answer) => asked.push(`${operation} at ${name.split('/')[0]}: ${answer}`),
    deadlines: { verifyMs: deadlineMs, settleMs: deadlineMs },
  })
  const chain = { facilitator, oracle: makeChainOracle(money.rpcUrl) }
  const shop = await openChainShop(money, { chain, settleWaitMs: 2000 })
  const pay = async ({ header }: SignedPayment) => {
    const response = await shop.buyLeaflet(header)
    const text = await response.text()
    expect(text).not.toContain('told by the platform')
    return { status: response.status, text, retryAfter: Number(response.headers.get('retry-after')) }
  }
  return { shop, pay, asked, facilitator }
}

const sign = () =>
  signPayment({ amount: price, payTo: sandboxPayTo, validBefore: Math.floor(Date.now() / 1000) + 600, token: 'mine' })

/** Returns a function that counts the transfers to the shop's wallet since this call. */
async function countTransfers(): Promise<() => Promise<number>> {
  const before = (await money.transfersTo()).length
  return async () => (await money.transfersTo()).length - before
}

const problemSchema = z.object({ type: z.string(), charged: z.unknown(), retryable: z.boolean() })

function expectUncharged({ status, text, retryAfter }: { status: number; text: string; retryAfter: number }): void {
  const { type, charged, retryable } = problemSchema.parse(JSON.parse(text))
  expect([status, type.split('/').at(-1), charged, retryable]).toEqual([503, 'facilitator-unavailable', false, true])
  expect(retryAfter).toBeGreaterThan(0)
}

function expectUnknown({ status, text }: { status: number; text: string }): void {
  const { type, charged, retryable } = problemSchema.parse(JSON.parse(text))
  expect([status, type.split('/').at(-1), charged, retryable]).toEqual([503, 'settlement-unknown', 'unknown', true])
}

describe('a facilitator that wants signed requests', () => {
  const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
  it.each([
    ['an Ed25519 secret', key, secret.toString('base64')],
    ['an EC key', ec, ec.export({ type: 'sec1', format: 'pem' }).toString()],
    ['an EC key on one line', ec, ec.export({ type: 'pkcs8', format: 'pem' }).toString().replaceAll('\n', '\\n')],
  ])('gets a new token with each request, signed with %s', async (_, known, CDP_API_KEY_SECRET) => {
    const cdp = await startPretendCdp({ upstreamUrl: money.facilitatorUrl, keys: { [id]: known } })
    open.push(cdp)
    const { pay } = await openShopAt({ FACILITATOR_URL: cdp.url, CDP_BASE_URL: cdp.origin, CDP_API_KEY_SECRET })
    for (const payment of [await sign(), await sign()]) expect((await pay(payment)).status).toBe(200)
    expect([cdp.calls.verify, cdp.calls.settle, cdp.tokens.size, cdp.refusals]).toEqual([2, 2, 4, []])
  })

  it('accepts no token for another address, none twice and none of another key', async () => {
    const cdp = await startPretendCdp({ upstreamUrl: money.facilitatorUrl, keys: { [id]: key } })
    open.push(cdp)
    const { pay } = await openShopAt({ FACILITATOR_URL: cdp.url, CDP_BASE_URL: cdp.origin })
    expect((await pay(await sign())).status).toBe(200)
    const [authorization = ''] = cdp.authorizations
    const replay = (operation: string) =>
      fetch(`${cdp.url}/${operation}`, { method: 'POST', headers: { authorization } })
    expect([(await replay('settle')).status, (await replay('verify')).status]).toEqual([401, 401])
    const stranger = await openShopAt({ FACILITATOR_URL: cdp.url, CDP_BASE_URL: cdp.origin, CDP_API_KEY_ID: 'unknown' })
    expectUncharged(await stranger.pay(await sign()))
    const nobody = await openShopAt({ FACILITATOR_URL: cdp.url, CDP_BASE_URL: 'https://elsewhere.example' })
    expectUncharged(await nobody.pay(await sign()))
    expect(cdp.refusals).toEqual([
      expect.stringContaining('a token for POST'),
      'a token that was used',
      'an unknown key',
      'no token',
    ])
  })
})

describe('when the first of two facilitators cannot verify a payment', () => {
  it.each([
    ['is not there', { isFirstGone: true }, []],
    ['no longer knows our key', { env: { CDP_API_KEY_ID: 'expired' } }, []],
    ['is asked too often', {}, [429]],
    ['breaks', {}, [500]],
    ['hangs', {}, ['hang']],
    ['hangs up', {}, ['drop']],
    ['settles on another network', { network: 'eip155:84532' }, []],
  ] as const)('(it %s) the second sells, and takes the money once', async (_, about, faults) => {
    const { first, second, pay, shop } = await openShop(about)
    first.faults.verify.push(...faults)
    const transfers = await countTransfers()
    const payment = await sign()
    const answer = await pay(payment)
    expect([answer.status, await transfers(), await hands.isUsed(payment)]).toEqual([200, 1, true])
    expect([first.calls.settle, second.calls.verify, second.calls.settle]).toEqual([0, 1, 1])
    // This payment has bought the product, so that the same signature gets the same product again.
    expect([(await pay(payment)).text, shop.made.count, await transfers()]).toEqual([answer.text, 1, 1])
  })

  it('one that settles on another network is not asked any more, once that is known', async () => {
    const { first, pay, facilitator } = await openShop({ network: 'eip155:84532' })
    facilitator.restLeftMs()
    const asksFirst = async () => {
      const before = first.calls.verify
      expect((await pay(await sign())).status).toBe(200)
      return first.calls.verify > before
    }
    await expect.poll(asksFirst).toBe(false)
    expect([await asksFirst(), await asksFirst(), first.calls.settle]).toEqual([false, false, 0])
  })

  it('one that settles on another network is passed over at settlement as well', async () => {
    const { first, second, facilitator } = await openShop({ network: 'eip155:84532' })
    const transfers = await countTransfers()
    const payment = readPayment((await sign()).header)
    if (!payment) throw new Error('the payment cannot be read')
    const terms = toRequirements({ network, payTo: sandboxPayTo, asset: usdcAddress }, price, 300)
    expect((await facilitator.settle(payment, terms)).is).toBe('claimed')
    expect([first.calls.settle, second.calls.settle, await transfers()]).toEqual([1, 1, 1])
  })

  it('one that is down is not asked for a while, so that the next buyer does not wait for it', async () => {
    const { first, second, pay, asked } = await openShop()
    first.always = { verify: 'hang' }
    expect((await pay(await sign())).status).toBe(200)
    expect((await pay(await sign())).status).toBe(200)
    // The first was asked about one payment and one that is known to be valid, the second about both payments.
    expect([first.calls.verify, second.calls.verify]).toEqual([2, 2])
    const [firstName, secondName] = [first, second].map(({ origin }) => origin.slice('http://'.length))
    expect(asked).toEqual([
      `verify at ${firstName}: unavailable`,
      ...[1, 2].flatMap(() => [`verify at ${secondName}: valid`, `settle at ${secondName}: claimed`]),
    ])
  })

  it('a payment that the first calls invalid is not taken to the second', async () => {
    const { second, pay } = await openShop()
    const poor = await signPayment({
      amount: price,
      payTo: sandboxPayTo,
      privateKey: sandboxAccounts.pauper.privateKey,
    })
    expect((await pay(poor)).status).toBe(402)
    expect(second.calls.verify).toBe(0)
  })
})

describe('when the first of two facilitators cannot settle', () => {
  it.each([
    ['wants to be paid', 402],
    ['no longer knows our key', 401],
    ['is asked too often', 429],
  ])('(it %s) the second does, because nothing was sent', async (_, fault) => {
    const { first, second, pay } = await openShop()
    first.faults.settle.push(fault)
    const transfers = await countTransfers()
    expect((await pay(await sign())).status).toBe(200)
    expect([first.calls.settle, second.calls.settle, await transfers()]).toEqual([1, 1, 1])
  })

  it('(it goes away after it has verified) the second does', async () => {
    const { first, second, pay } = await openShop()
    const transfers = await countTransfers()
    first.faults.verify.push('leave-after')
    expect((await pay(await sign())).status).toBe(200)
    expect([first.calls.verify, first.calls.settle, second.calls.settle, await transfers()]).toEqual([1, 0, 1, 1])
  })

  it.each([
    ['its answer is lost', 'drop-after'],
    ['it never answers', 'hang-after'],
  ] as const)('and has settled, but %s, the transfer is found and the second is not asked', async (_, fault) => {
    const { first, second, pay, shop } = await openShop()
    first.faults.settle.push(fault)
    const transfers = await countTransfers()
    const payment = await sign()
    const answer = await pay(payment)
    expect([answer.status, await transfers(), second.calls.settle]).toEqual([200, 1, 0])
    expect([(await pay(payment)).text, await transfers(), shop.made.count]).toEqual([answer.text, 1, 1])
  })

  it.each([
    ['breaks', 500],
    ['hangs', 'hang'],
    ['hangs up', 'drop'],
  ] as const)('(it %s) the outcome is unknown, and with the same signature the second settles', async (_, fault) => {
    const { first, second, pay, shop } = await openShop()
    first.faults.settle.push(fault)
    const transfers = await countTransfers()
    const payment = await sign()
    expectUnknown(await pay(payment))
    expect([first.calls.settle, second.calls.settle, await transfers()]).toEqual([1, 0, 0])
    expect((await pay(payment)).status).toBe(200)
    expect([first.calls.settle, second.calls.settle, await transfers()]).toEqual([1, 1, 1])
    expect(shop.made.count).toBe(1)
  })

  it('a refusal by the second proves nothing: the wallet may be empty because the first has emptied it', async () => {
    const { first, second, pay } = await openShop()
    first.faults.settle.push('drop')
    second.faults.settle.push('refuse')
    const transfers = await countTransfers()
    const payment = await sign()
    expectUnknown(await pay(payment))
    expectUnknown(await pay(payment))
    expect((await pay(payment)).status).toBe(200)
    expect(await transfers()).toBe(1)
  })

  it('and both have sent the same authorization, it moves money once, and the product is delivered once', async () => {
    const { first, second, pay, shop } = await openShop()
    const transfers = await countTransfers()
    const payment = await sign()
    await money.rpc('evm_setAutomine', [false])
    try {
      first.faults.settle.push('drop-meanwhile')
      expectUnknown(await pay(payment))
      second.faults.settle.push('drop-meanwhile')
      expectUnknown(await pay(payment))
      const waiting = z.object({ pending: z.string() })
      await expect.poll(async () => Number(waiting.parse(await money.rpc('txpool_status', [])).pending)).toBe(2)
      await money.rpc('evm_mine', [])
      const answer = await pay(payment)
      expect([answer.status, shop.made.count]).toEqual([200, 1])
    } finally {
      await money.rpc('evm_setAutomine', [true])
    }
    expect([first.calls.settle, second.calls.settle, await transfers()]).toEqual([1, 1, 1])
    expect(await shop.sales()).toEqual({ count: 1, total: price })
  })
})

describe('when both facilitators are down', () => {
  it('the buyer is told to come again, uncharged, and buys with the same signature', async () => {
    const { first, second, pay, shop } = await openShop()
    first.faults.verify.push(503)
    second.faults.verify.push('drop')
    const payment = await sign()
    expectUncharged(await pay(payment))
    expect([shop.made.count, await hands.isUsed(payment)]).toEqual([0, false])
    expect((await pay(payment)).status).toBe(200)
  })

  it('only at settlement, the product is kept uncharged, and is sold for the same signature', async () => {
    const { first, second, pay, shop } = await openShop()
    first.faults.settle.push(401)
    second.faults.settle.push(429)
    const transfers = await countTransfers()
    const payment = await sign()
    expectUncharged(await pay(payment))
    expect([await transfers(), (await shop.sales()).count]).toEqual([0, 0])
    expect((await pay(payment)).status).toBe(200)
    expect([shop.made.count, await transfers()]).toEqual([1, 1])
  })

  it('nothing is made or claimed for anybody until one of them may be asked again', async () => {
    const { second, pay, shop, facilitator } = await openShop({ isFirstGone: true })
    second.always = { verify: 500, settle: 500 }
    expectUncharged(await pay(await sign()))
    const { verify } = second.calls
    const answer = await pay(await sign())
    expectUncharged(answer)
    expect([second.calls.verify - verify, shop.made.count]).toEqual([0, 0])
    expect(facilitator.restLeftMs()).toBeGreaterThan(0)
  })
})
