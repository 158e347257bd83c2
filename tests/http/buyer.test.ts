import { mkdtempSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { openBoughtRecords } from '../../src/buyer/bought-records.ts'
import { type Buyer, type Consent, payFor } from '../../src/buyer/pay-for.ts'
import { openPendingPurchases, PurchaseRecordError } from '../../src/buyer/pending-purchases.ts'
import { toJson, toLines } from '../../src/buyer/report.ts'
import type { Order } from '../../src/buyer/send-request.ts'
import { makeSigner } from '../../src/buyer/sign-payment.ts'
import { usdcAddress } from '../../src/core/chain-constants.ts'
import { usd } from '../../src/core/money.ts'
import { openTruthfulShop, type TruthfulShop, testWallet } from '../support/truthful-shop.ts'

let shop: TruthfulShop
beforeEach(async () => {
  shop = await openTruthfulShop()
})
afterEach(() => shop.close())

/** A buyer whose waits take no time, and which records what it was given, what it said and how long it waited. */
function newBuyer(change: Partial<Buyer> = {}) {
  const folder = join(mkdtempSync(join(tmpdir(), 'farthing-buyer-')), 'purchases')
  const got: string[] = []
  const said: string[] = []
  const waits: number[] = []
  let signed = 0
  let passedMs = 0
  const signer = makeSigner(testWallet.privateKey)
  const buyer: Buyer = {
    fetch,
    now: () => Date.now() + passedMs,
    sleep: async (ms) => {
      waits.push(ms)
      passedMs += ms
    },
    say: (line) => said.push(line),
    purchases: openPendingPurchases(folder),
    bought: openBoughtRecords(`${folder}-bought`),
    findSigner: async () => ({
      payer: signer.payer,
      async sign(...terms) {
        signed += 1
        return signer.sign(...terms)
      },
    }),
    deliver: async ({ bytes }) => {
      got.push(Buffer.from(bytes).toString())
      return { is: 'output' }
    },
    ...change,
  }
  const consent: Consent = { maxPrice: usd('1'), asset: usdcAddress, sha256: undefined, timeoutSeconds: 300 }
  const order = (): Order => ({ method: 'GET', url: new URL(`${shop.url}/thing`), body: undefined })
  return {
    buyer,
    got,
    said,
    waits,
    order,
    buy: (limits: Partial<Consent> = {}, what = order()) => payFor(what, { ...consent, ...limits }, buyer),
    later: (ms: number) => {
      passedMs += ms
    },
    signedTimes: () => signed,
    pending: () => {
      try {
        return readdirSync(folder)
      } catch {
        return []
      }
    },
  }
}

const payment = z.object({
  payload: z.object({ authorization: z.object({ nonce: z.string(), validBefore: z.coerce.number() }) }),
})
const authorizations = () =>
  shop.signatures.map(
    (header) => payment.parse(JSON.parse(Buffer.from(header, 'base64').toString())).payload.authorization,
  )
const nonces = () => new Set(authorizations().map(({ nonce }) => nonce))

/** Checks that there was one payment, however often it was sent, and that nothing is left over. */
function expectOneSale(buyer: ReturnType<typeof newBuyer>) {
  expect(shop.settlements).toBe(1)
  expect(new Set(shop.signatures).size).toBe(1)
  expect(buyer.signedTimes()).toBe(1)
  expect(buyer.got).toEqual(['# A product\n'])
  expect(buyer.pending()).toEqual([])
}

const late = { is: 'refusal', reason: 'invalid_exact_evm_payload_authorization_valid_before' } as const

describe('buying', () => {
  it('pays once and reports what for', async () => {
    const buyer = newBuyer()
    const outcome = await buyer.buy()
    expect(outcome).toMatchObject({ is: 'bought', resends: 0, proof: { is: 'settled' } })
    expectOneSale(buyer)
    const report = toLines(outcome, buyer.order()).join('\n')
    for (const part of ['$0.10', shop.terms.payTo, testWallet.address, `${shop.url}/receipts/r_`, '0x'])
      expect(report).toContain(part)
  })

  it('shows neither the key nor the signature, whatever happens', async () => {
    const buyer = newBuyer()
    shop.faults = [{ is: 'lost reply' }, { is: 'answer', status: 503 }]
    const outcome = await buyer.buy()
    const shown = [...buyer.said, ...toLines(outcome, buyer.order()), toJson(outcome, buyer.order())].join('\n')
    const header = shop.signatures[0] ?? ''
    expect(shown).not.toContain(header.slice(0, 40))
    expect(shown).not.toContain(testWallet.privateKey.slice(2))
    expect(JSON.parse(toJson(outcome, buyer.order()))).toMatchObject({ outcome: 'bought', exitCode: 0, resends: 2 })
  })

  it.each([
    ['the reply is lost', [{ is: 'lost reply' }]],
    ['the reply breaks off in the middle', [{ is: 'cut reply' }]],
    ['the request is lost, then the reply twice', [{ is: 'lost request' }, { is: 'lost reply' }, { is: 'lost reply' }]],
    ['the shop is busy', [{ is: 'answer', status: 503, headers: { 'retry-after': '2' } }]],
    ['an earlier copy is being worked on', [{ is: 'answer', status: 409, headers: { 'retry-after': '1' } }]],
    ['there are too many requests', [{ is: 'answer', status: 429, headers: { 'retry-after': '1' } }]],
    ['the reply is lost and then the shop is down', [{ is: 'lost reply' }, { is: 'answer', status: 502 }]],
  ] as const)('sends the same signature again when %s: one settlement, one product', async (_, faults) => {
    const buyer = newBuyer()
    shop.faults = [...faults]
    expect(await buyer.buy()).toMatchObject({ is: 'bought', resends: faults.length })
    expectOneSale(buyer)
  })

  it('waits as long as it is asked to, and never more than a minute', async () => {
    const buyer = newBuyer()
    const busy = (seconds: string) => ({ is: 'answer', status: 503, headers: { 'retry-after': seconds } }) as const
    shop.faults = [busy('7'), busy('3600')]
    await buyer.buy()
    expect(buyer.waits).toEqual([7000, 60_000])
  })

  it('gives up when the time is over, keeps the purchase, and finishes it in a later run', async () => {
    const buyer = newBuyer()
    shop.faults = [{ is: 'lost reply' }, ...Array.from({ length: 40 }, () => ({ is: 'answer', status: 503 }) as const)]
    expect(await buyer.buy()).toMatchObject({ is: 'unresolved' })
    expect(buyer.waits.reduce((sum, ms) => sum + ms, 0)).toBeLessThanOrEqual(250_000)
    expect(buyer.pending()).toHaveLength(1)
    shop.faults = []
    expect(await buyer.buy()).toMatchObject({ is: 'bought', resumed: true })
    expectOneSale(buyer)
  })

  it('asks with the old signature even after it has expired, because it may have been paid', async () => {
    const buyer = newBuyer()
    shop.faults = [{ is: 'lost reply' }, { is: 'answer', status: 404 }]
    expect(await buyer.buy()).toMatchObject({ is: 'unresolved' })
    buyer.later(3 * 24 * 3600 * 1000)
    shop.faults = [{ is: 'answer', status: 503 }]
    expect(await buyer.buy()).toMatchObject({ is: 'bought', resumed: true, resends: 1 })
    expectOneSale(buyer)
  })

  it('signs anew when the old signature expired unused', async () => {
    const buyer = newBuyer()
    shop.faults = [
      { is: 'answer', status: 404 },
      { is: 'refusal', reason: 'invalid_exact_evm_payload_authorization_valid_before' },
    ]
    expect(await buyer.buy()).toMatchObject({ is: 'unresolved' })
    expect(await buyer.buy()).toMatchObject({ is: 'bought' })
    expect([shop.settlements, new Set(shop.signatures).size, nonces().size]).toEqual([1, 2, 1])
    expect(buyer.pending()).toEqual([])
  })

  it('signs for another token with another nonce, and only after the earlier signature has expired', async () => {
    const buyer = newBuyer()
    shop.faults = [late, late]
    expect(await buyer.buy()).toMatchObject({ is: 'payment-refused' })
    const asset = '0x3333333333333333333333333333333333333333'
    shop.terms.asset = asset
    shop.faults = [late, late, late]
    const soon = await buyer.buy({ asset })
    expect(soon).toMatchObject({ is: 'payment-refused', reason: expect.stringContaining('has to expire before') })
    expect([buyer.signedTimes(), nonces().size]).toEqual([2, 1])
    buyer.later(300_000)
    shop.passedMs += 300_000
    shop.faults = [late]
    expect(await buyer.buy({ asset, maxPrice: 199_999n })).toMatchObject({
      is: 'payment-refused',
      reason: expect.stringContaining('more than the limit'),
    })
    shop.faults = [late]
    await buyer.buy({ asset })
    expect([buyer.signedTimes(), nonces().size]).toEqual([3, 2])
    const why = 'a payment that has expired (invalid_exact_evm_payload_authorization_valid_before)'
    expect(buyer.said.join('\n')).toContain(why)
  })

  it('reports no risk when one token honours only one of the signatures, however the shop spells its address', async () => {
    const buyer = newBuyer()
    shop.faults = [late, late]
    expect(await buyer.buy()).toMatchObject({ is: 'payment-refused' })
    shop.terms.asset = shop.terms.asset.toLowerCase()
    shop.faults = [late]
    expect(await buyer.buy()).toMatchObject({ is: 'bought', risk: [] })
    expect([buyer.signedTimes(), nonces().size]).toEqual([3, 1])
  })

  it('signs once more when the price changed within the limit', async () => {
    const buyer = newBuyer()
    shop.faults = [{ is: 'new price', amount: '120000' }]
    expect(await buyer.buy()).toMatchObject({ is: 'bought', purchase: { amountMicroUsd: '120000' } })
    expect([shop.settlements, buyer.signedTimes(), nonces().size]).toEqual([1, 2, 1])
    expect(buyer.said.at(-2)).toContain('asks again; signing one that replaces it')
    expect(buyer.pending()).toEqual([])
  })

  it('does not follow a price above the limit, nor a second change', async () => {
    const buyer = newBuyer()
    shop.faults = [{ is: 'new price', amount: '1000001' }]
    const outcome = await buyer.buy()
    expect(outcome).toMatchObject({
      is: 'payment-refused',
      reason: expect.stringContaining('more than the limit of $1.00'),
    })
    expect(toLines(outcome, buyer.order()).join('\n')).not.toContain('nothing was')
    const other = newBuyer()
    shop.terms.amount = '100000'
    shop.faults = [
      { is: 'new price', amount: '110000' },
      { is: 'new price', amount: '120000' },
    ]
    expect(await other.buy()).toMatchObject({ is: 'payment-refused', risk: [{ amount: 110_000n }] })
    expect([shop.settlements, other.signedTimes(), other.pending().length]).toEqual([0, 2, 2])
  })

  it('keeps a payment that is refused, signs nothing more, and sends the same one again', async () => {
    const buyer = newBuyer()
    shop.faults = [{ is: 'refusal', reason: 'insufficient_balance' }]
    const outcome = await buyer.buy()
    expect(outcome).toMatchObject({ is: 'payment-refused', reason: 'insufficient_balance' })
    expect(toLines(outcome, buyer.order()).join('\n')).toContain('has too little USDC')
    expect([shop.settlements, buyer.signedTimes(), buyer.pending().length]).toEqual([0, 1, 1])
    expect(await buyer.buy()).toMatchObject({ is: 'bought', resumed: true })
    expectOneSale(buyer)
  })

  it('signs nothing anew when a shop that refuses only spells the address of its wallet differently', async () => {
    for (const spell of [(text: string) => text.toLowerCase(), (text: string) => `0x${text.slice(2).toUpperCase()}`]) {
      const buyer = newBuyer()
      shop.terms.payTo = '0x22222222222222222222222222222222222aBcDe'
      shop.faults = [{ is: 'answer', status: 503 }]
      expect(await buyer.buy({ timeoutSeconds: 0 })).toMatchObject({ is: 'unresolved' })
      shop.terms.payTo = spell(shop.terms.payTo)
      shop.faults = [{ is: 'refusal', reason: 'insufficient_balance' }]
      expect(await buyer.buy()).toMatchObject({ is: 'payment-refused', reason: 'insufficient_balance' })
      expect([shop.settlements, buyer.signedTimes(), buyer.pending().length]).toEqual([0, 1, 1])
    }
  })

  it('keeps the signature of a product that could not be made, and offers the same one again', async () => {
    const buyer = newBuyer()
    const failed = { is: 'answer', status: 502, body: { charged: false, retryable: false } } as const
    shop.faults = [failed, failed, failed]
    expect(await buyer.buy()).toMatchObject({ is: 'unresolved', risk: [{ amount: 100_000n }] })
    expect(await buyer.buy()).toMatchObject({ is: 'bought', resumed: true })
    expectOneSale(buyer)
  })

  it('keeps a payment for a request that the shop says it will never serve, and tells why', async () => {
    const buyer = newBuyer()
    const body = { charged: false, errors: [{ pointer: '/urls', detail: 'must not be empty' }] }
    shop.faults = [{ is: 'answer', status: 400, body }]
    expect(await buyer.buy()).toMatchObject({ is: 'unresolved', detail: '400; /urls must not be empty' })
    expect(buyer.pending()).toHaveLength(1)
  })

  it('follows no redirect, with a payment or without', async () => {
    const elsewhere = await openTruthfulShop()
    const buyer = newBuyer()
    const moved = { is: 'answer', status: 307, headers: { location: `${elsewhere.url}/thing` } } as const
    shop.faults = [moved]
    expect(await buyer.buy()).toMatchObject({ is: 'unresolved' })
    expect(elsewhere.signatures).toEqual([])
    expect(buyer.pending()).toHaveLength(1)
    const redirecting: typeof fetch = async () => new Response(null, { status: 302, headers: { location: '/there' } })
    expect(await newBuyer({ fetch: redirecting }).buy()).toMatchObject({ is: 'redirected', location: '/there' })
    await elsewhere.close()
  })

  it('signs nothing for a price above the limit, another token, or a body that would be refused', async () => {
    const buyer = newBuyer()
    expect(await buyer.buy({ maxPrice: 99_999n })).toMatchObject({ is: 'too-dear', price: 100_000n })
    shop.errors = [{ pointer: '/title', detail: 'is missing' }]
    expect(await buyer.buy()).toMatchObject({ is: 'refused', status: 402, problem: { errors: ['/title is missing'] } })
    shop.errors = []
    shop.terms.asset = '0x3333333333333333333333333333333333333333'
    expect(await buyer.buy()).toMatchObject({ is: 'unpayable' })
    expect([buyer.signedTimes(), shop.signatures, buyer.pending()]).toEqual([0, [], []])
  })

  it('does not finish an old purchase above a limit that is lower now, and does not forget it', async () => {
    const buyer = newBuyer()
    shop.faults = [{ is: 'answer', status: 404 }]
    await buyer.buy()
    const dear = { is: 'too-dear', outstanding: 0n, risk: [{ amount: 100_000n }] }
    expect(await buyer.buy({ maxPrice: 99_999n })).toMatchObject(dear)
    expect(buyer.pending()).toHaveLength(1)
    expect(await buyer.buy({ maxPrice: 100_000n })).toMatchObject({ is: 'bought', resumed: true })
  })

  it('reports that a shop cannot be reached, and what a failing shop has said', async () => {
    const answers: Response[] = [
      Response.json({ detail: 'It is down', charged: false }, { status: 500 }),
      Response.json({ detail: 'Gone' }, { status: 404 }),
      Response.json({ detail: 'Nothing is asked for' }, { status: 402 }),
    ]
    const buyer = newBuyer({
      fetch: async () => answers.shift() ?? Promise.reject(new Error('nobody is there')),
    })
    expect(await buyer.buy()).toMatchObject({ is: 'refused', status: 500, problem: { detail: 'It is down' } })
    expect(await buyer.buy()).toMatchObject({ is: 'refused', status: 404, problem: { detail: 'Gone' } })
    expect(await buyer.buy()).toMatchObject({ is: 'unpayable' })
    expect(await buyer.buy()).toMatchObject({ is: 'unreachable', detail: 'the connection broke' })
    expect([buyer.signedTimes(), buyer.got, buyer.pending()]).toEqual([0, [], []])
  })

  it('names the token of the payment, and calls no other token dollars', async () => {
    const eurc = '0x60a3E35Cc302bFA44Cb288Bc5a4F316Fdb1adb42'
    shop.terms.asset = eurc
    shop.terms.amount = '92000'
    const buyer = newBuyer()
    const report = (outcome: Awaited<ReturnType<typeof buyer.buy>>): string =>
      [...buyer.said, ...toLines(outcome, buyer.order()), toJson(outcome, buyer.order())].join('\n')
    const dear = await buyer.buy({ asset: eurc, maxPrice: 91_999n })
    expect(report(dear)).toContain('it costs 0.092 EURC: that is more than the limit of 0.091999 EURC')
    const refused = { is: 'refusal', reason: 'insufficient_balance' } as const
    shop.faults = [refused, refused]
    const poor = await buyer.buy({ asset: eurc })
    expect(report(poor)).toContain('has too little EURC on Base')
    const again = await buyer.buy({ asset: eurc })
    for (const part of ['sending the payment of 0.092 EURC', 'at risk     0.092 EURC of'])
      expect(report(again)).toContain(part)
    expect(JSON.parse(toJson(again, buyer.order()))).toMatchObject({ atRisk: [{ asset: eurc, amountUnits: '92000' }] })
    const keyless = newBuyer({ findSigner: async () => undefined })
    const unsigned = await keyless.buy({ asset: eurc })
    const all = report(again) + toLines(unsigned, buyer.order()).join('\n') + toJson(unsigned, buyer.order())
    expect(all).toContain('price       0.092 EURC on Base')
    expect(all).not.toMatch(/\$\d|USDC|MicroUsd/)
  })

  it('without a key says what would be paid to whom', async () => {
    const buyer = newBuyer({ findSigner: async () => undefined })
    const outcome = await buyer.buy()
    expect(outcome).toMatchObject({ is: 'no-key', price: 100_000n })
    expect(toLines(outcome, buyer.order()).join('\n')).toContain(shop.terms.payTo)
  })

  it('pays a price equal to the limit, and looks for no key above it', async () => {
    const buyer = newBuyer()
    expect(await buyer.buy({ maxPrice: 100_000n })).toMatchObject({ is: 'bought' })
    expect(buyer.said.join('\n')).toContain('paying $0.10 to')
    const keyless = newBuyer({ findSigner: () => Promise.reject(new Error('looked for')) })
    expect(await keyless.buy({ maxPrice: 99_999n })).toMatchObject({ is: 'too-dear', outstanding: 0n })
  })

  it('counts unexpired signatures of earlier runs at the shop toward the limit, but not those of runs still at work', async () => {
    const buyer = newBuyer()
    const named = (name: string): Order => ({ ...buyer.order(), url: new URL(`${shop.url}/thing?${name}`) })
    shop.faults = [{ is: 'answer', status: 404 }]
    expect(await buyer.buy({}, named('first'))).toMatchObject({ is: 'unresolved' })
    expect(await buyer.buy({ maxPrice: 100_000n }, named('beside'))).toMatchObject({ is: 'bought' })
    const { purchases } = buyer.buyer
    const findElsewhere: typeof purchases.findElsewhere = async (order) =>
      (await purchases.findElsewhere(order)).map(({ owner: _, ...purchase }) => purchase)
    buyer.buyer.purchases = { ...purchases, findElsewhere }
    const dear = { is: 'too-dear', price: 100_000n, outstanding: 100_000n }
    expect(await buyer.buy({ maxPrice: 199_999n }, named('second'))).toMatchObject(dear)
    expect(await buyer.buy({ maxPrice: 200_000n }, named('second'))).toMatchObject({ is: 'bought' })
    buyer.later(300_000)
    shop.passedMs += 300_000
    expect(await buyer.buy({ maxPrice: 100_000n }, named('third'))).toMatchObject({ is: 'bought' })
  })

  it('uses the clock of the shop for that when its own is ahead, by which signatures would seem to expire too early', async () => {
    const buyer = newBuyer()
    const { purchases } = buyer.buyer
    const findElsewhere: typeof purchases.findElsewhere = async (order) =>
      (await purchases.findElsewhere(order)).map(({ owner: _, ...purchase }) => purchase)
    buyer.buyer.purchases = { ...purchases, findElsewhere }
    buyer.later(3600_000)
    shop.faults = [{ is: 'answer', status: 404 }]
    expect(await buyer.buy()).toMatchObject({ is: 'unresolved' })
    const other: Order = { ...buyer.order(), url: new URL(`${shop.url}/thing?other`) }
    expect(await buyer.buy({ maxPrice: 199_999n }, other)).toMatchObject({ is: 'too-dear', outstanding: 100_000n })
    shop.faults = [{ is: 'refusal', reason: 'invalid_exact_evm_nonce_already_used' }]
    expect(await buyer.buy()).toMatchObject({ is: 'payment-refused' })
    expect(buyer.signedTimes()).toBe(1)
  })

  it('signs no other payment while the nonce may still be used, for terms that it cannot pay, or without any terms', async () => {
    const used = newBuyer()
    const reason = 'invalid_exact_evm_nonce_already_used'
    shop.faults = [{ is: 'refusal', reason }]
    expect(await used.buy()).toMatchObject({ is: 'payment-refused', reason })
    const silent = newBuyer()
    shop.faults = [{ is: 'answer', status: 402, body: { detail: 'no' } }]
    expect(await silent.buy()).toMatchObject({ is: 'payment-refused', reason: 'no' })
    const moved = newBuyer()
    const happens = () => Object.assign(shop.terms, { asset: '0x3333333333333333333333333333333333333333' })
    shop.onPayment = happens
    shop.faults = [{ is: 'refusal', reason: 'insufficient_balance' }]
    expect(await moved.buy()).toMatchObject({ is: 'payment-refused', reason: 'insufficient_balance' })
    expect([used, silent, moved].map((buyer) => buyer.signedTimes())).toEqual([1, 1, 1])
  })

  it('fetches what it owns for free, has nothing at risk when that cannot be saved, and pays when the shop no longer gives it', async () => {
    shop.extensions = { 'sign-in-with-x': {} }
    let isFull = false
    const buyer = newBuyer({
      deliver: async () => {
        if (isFull) throw new Error('no space left on device')
        return { is: 'output' }
      },
    })
    expect(await buyer.buy()).toMatchObject({ is: 'bought' })
    isFull = true
    expect(await buyer.buy()).toEqual({
      is: 'not-kept',
      detail: 'no space left on device',
      risk: [],
      record: undefined,
    })
    isFull = false
    expect(await buyer.buy()).toMatchObject({ is: 'again' })
    expect([shop.settlements, buyer.signedTimes()]).toEqual([1, 1])
    shop.faults = [{ is: 'answer', status: 410 }]
    expect(await buyer.buy()).toMatchObject({ is: 'bought', resumed: false })
    expect([shop.settlements, buyer.pending()]).toEqual([2, []])
  })

  it('gets free content without a payment', async () => {
    shop.files.set('/thing', 'free text')
    const buyer = newBuyer()
    expect(await buyer.buy()).toMatchObject({ is: 'free' })
    expect([buyer.got, buyer.signedTimes()]).toEqual([['free text'], 0])
  })

  it('is distinguished from other purchases by its body', async () => {
    const buyer = newBuyer()
    const post = (text: string): Order => ({
      ...buyer.order(),
      method: 'POST',
      body: new Uint8Array(Buffer.from(text)),
    })
    shop.faults = [{ is: 'answer', status: 404 }]
    expect(await buyer.buy({}, post('{"a":1}'))).toMatchObject({ is: 'unresolved' })
    expect(await buyer.buy({}, post('{"a":2}'))).toMatchObject({ is: 'bought', resumed: false })
    expect(await buyer.buy({}, post('{"a":1}'))).toMatchObject({ is: 'bought', resumed: true })
    expect([shop.settlements, buyer.signedTimes(), buyer.pending()]).toEqual([2, 2, []])
  })

  it('again while the first run is under way sends the same signature', async () => {
    const buyer = newBuyer()
    const second = Promise.withResolvers<unknown>()
    shop.onPayment = () => {
      shop.onPayment = () => {}
      second.resolve(buyer.buy())
    }
    shop.faults = [{ is: 'lost reply' }]
    expect(await buyer.buy()).toMatchObject({ is: 'bought' })
    expect(await second.promise).toMatchObject({ is: 'bought' })
    expect([shop.settlements, new Set(shop.signatures).size]).toEqual([1, 1])
    expect(buyer.pending()).toEqual([])
  })

  it('by two runs that sign at the same moment sends one of the two signatures', async () => {
    const buyer = newBuyer()
    const { purchases } = buyer.buyer
    const both = Promise.withResolvers<void>()
    let waiting = 2
    buyer.buyer.purchases = {
      ...purchases,
      async keep(order, purchase, place) {
        const isKept = await purchases.keep(order, purchase, place)
        waiting -= 1
        if (waiting === 0) both.resolve()
        await both.promise
        return isKept
      },
    }
    const outcomes = await Promise.all([buyer.buy(), buyer.buy()])
    expect(outcomes.map((outcome) => outcome.is === 'bought' && outcome.resumed).toSorted()).toEqual([false, true])
    expect([buyer.signedTimes(), shop.settlements, new Set(shop.signatures).size]).toEqual([2, 1, 1])
    expect(buyer.pending()).toEqual([])
  })

  it('keeps the purchase when the product cannot be saved, and fetches it again for free', async () => {
    let isFull = true
    const saved: number[] = []
    const buyer = newBuyer({
      deliver: async ({ bytes }) => {
        if (isFull) throw new Error('no space left on device')
        saved.push(bytes.length)
        return { is: 'output' }
      },
    })
    expect(await buyer.buy()).toMatchObject({
      is: 'not-kept',
      risk: [{ amount: 100_000n }],
      detail: 'no space left on device',
    })
    expect(buyer.pending()).toHaveLength(1)
    isFull = false
    expect(await buyer.buy()).toMatchObject({ is: 'bought', resumed: true })
    expect([shop.settlements, saved, buyer.pending()]).toEqual([1, [12], []])
  })

  it('does not hand over a product with another checksum, and keeps the purchase', async () => {
    const buyer = newBuyer()
    const sha256 = '0'.repeat(64)
    expect(await buyer.buy({ sha256 })).toMatchObject({ is: 'not-kept', detail: expect.stringContaining(sha256) })
    expect([buyer.got, buyer.pending().length]).toEqual([[], 1])
    expect(await buyer.buy()).toMatchObject({ is: 'bought', resumed: true })
    expectOneSale(buyer)
  })

  it('records the payment before it is sent', async () => {
    const buyer = newBuyer()
    const noted: number[] = []
    shop.onPayment = () => noted.push(buyer.pending().length)
    await buyer.buy()
    expect(noted).toEqual([1])
    const unwritable = newBuyer()
    unwritable.buyer.purchases = openPendingPurchases('/dev/null/purchases')
    await expect(unwritable.buy()).rejects.toThrow()
    expect(shop.signatures).toHaveLength(1)
  })

  it('signs for an hour at most, and uses the clock of the shop when its own is ahead', async () => {
    shop.terms.maxTimeoutSeconds = 20 * 3600
    const buyer = newBuyer()
    await buyer.buy()
    expect(buyer.said.join('\n')).toContain('valid for 72000 s; it gets one that is valid for 3600 s')
    buyer.later(24 * 3600 * 1000)
    await buyer.buy()
    expect(buyer.said.join('\n')).toContain('1440 min ahead')
    for (const { validBefore } of authorizations()) expect(validBefore - Date.now() / 1000).toBeLessThanOrEqual(3600)
  })

  it('uses the clock of the shop when its own is behind, and still signs for an hour of its own clock at most', async () => {
    const buyer = newBuyer()
    buyer.later(-10 * 60_000)
    await buyer.buy()
    buyer.later(-24 * 3600_000)
    await buyer.buy()
    const [late, lying] = authorizations().map(({ validBefore }) => validBefore - Date.now() / 1000)
    expect(late).toBeGreaterThan(shop.terms.maxTimeoutSeconds - 5)
    expect(lying).toBeLessThanOrEqual(3600 - 24 * 3600 - 10 * 60)
    expect(buyer.said.join('\n')).toContain('10 min behind')
  })

  it('says what is at risk when a second signature cannot be recorded', async () => {
    const buyer = newBuyer()
    const { purchases } = buyer.buyer
    buyer.buyer.purchases = {
      ...purchases,
      keep: (order, purchase, place) =>
        place === 1
          ? purchases.keep(order, purchase, place)
          : Promise.reject(new PurchaseRecordError('the disk is full')),
    }
    shop.faults = [{ is: 'new price', amount: '120000' }]
    const reason = expect.stringContaining('the disk is full')
    expect(await buyer.buy()).toMatchObject({ is: 'payment-refused', reason, risk: [{ amount: 100_000n }] })
    expect(shop.signatures).toHaveLength(1)
  })

  it('reuses a nonce only with the wallet that signed with it before', async () => {
    const buyer = newBuyer()
    shop.faults = [{ is: 'answer', status: 404 }]
    await buyer.buy()
    const stranger = makeSigner(`0x${'1'.repeat(64)}`)
    buyer.buyer.findSigner = async () => stranger
    shop.faults = [{ is: 'new price', amount: '120000' }]
    expect(await buyer.buy()).toMatchObject({ is: 'payment-refused', risk: [{ amount: 100_000n }] })
    expect(nonces().size).toBe(1)
  })

  it('reports it when a shop does not prove the settlement', async () => {
    shop.product.headers = { 'payment-response': 'bm9uZQ==', 'x-receipt-id': '../../evil' }
    expect(await newBuyer().buy()).toMatchObject({ is: 'bought', proof: { is: 'unproven' }, receiptUrl: undefined })
  })
})
