import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { openCup } from '../../game-server/cup/open-cup.ts'
import { sandboxAccounts } from '../../src/config/sandbox-accounts.ts'
import { type RunningMoney, startMoney } from '../support/money.ts'
import { specSchemas } from '../support/spec-schemas.ts'
import { decodeHeader, encodeHeader, payingFetch, type Signed, sign } from '../support/stock-client.ts'
import { gameUrl, openTestStore, type TestStore } from '../support/test-store.ts'
import { findSchemaErrors } from '../support/validate-document.ts'

const unlockUrl = `${gameUrl}/api/store/unlock`
const { privateKey } = sandboxAccounts.buyer
const answerSchema = z.looseObject({
  status: z.union([z.string(), z.number()]),
  player: z.unknown().optional(),
  charged: z.unknown().optional(),
  entitlements: z.array(z.string()).optional(),
  resumeToken: z.string().optional(),
  alreadyOwned: z.boolean().optional(),
  spendCap: z.string().optional(),
})

let money: RunningMoney
let store: TestStore
let names = 0
const newName = () => `Buyer-${++names}`

beforeAll(async () => {
  money = await startMoney()
  store = await openTestStore({ money })
})
afterAll(async () => {
  await store.close()
  await store.db.destroy()
  await money.stop()
})

const init = (body: unknown): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: typeof body === 'string' ? body : JSON.stringify(body),
})
const read = async (response: Response) => answerSchema.parse(await response.json())
const signed = (body: unknown): Promise<Signed> =>
  sign(unlockUrl, init(body), { privateKey, fetch: store.ask, maxAmountPerPayment: '$25' })
const unlock = (body: unknown, header?: string) =>
  store.post('/api/store/unlock', body, header === undefined ? {} : { 'payment-signature': header })
const transfers = async () => (await money.transfersTo()).length
const termsOf = (response: Response) =>
  z
    .object({ accepts: z.tuple([z.object({ amount: z.string() })]), resource: z.object({ url: z.string() }) })
    .parse(decodeHeader(response.headers.get('payment-required')))

/** The same payment as anybody can rebuild it from the chain: without the token from our 402. */
function rebuiltFromChain({ payload }: Signed): string {
  const { extensions: _, ...onChain } = payload
  return encodeHeader(onChain)
}

describe('the store', () => {
  it('shows exactly its five products, and counts what it sold', async () => {
    const response = await store.ask('/api/store')
    const catalog = await response.json()
    expect(findSchemaErrors(specSchemas.storeCatalog, catalog)).toEqual([])
    expect(catalog).toMatchObject({
      pay_to_win: false,
      asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
      assetName: 'USDC',
      revenue: { products: 5, configured: true, payTo: '0x1111…1402' },
    })
    const rows = z.object({ products: z.array(z.record(z.string(), z.unknown())) }).parse(catalog).products
    expect(
      rows.map(({ sku, kind, priceUsd, amountAtomic, creditPrice, grants }) => [
        sku,
        kind,
        priceUsd,
        amountAtomic,
        creditPrice,
        String(grants),
      ]),
    ).toEqual([
      ['tip_3', 'tip', 3, '3000000', null, 'supporter,badge_tip'],
      ['tip_10', 'tip', 10, '10000000', null, 'supporter,badge_tip,frame_gold'],
      ['tip_25', 'tip', 25, '25000000', null, 'supporter,badge_tip,frame_gold,frame_legend,wall_shout'],
      ['death_frames_pro', 'cosmetic', 5, '5000000', 100, 'death_frames_pro,frame_neon,frame_void'],
      ['agent_cup_entry', 'tournament', 5, '5000000', 50, 'agent_cup_entry'],
    ])
  })

  it.each([
    ['nothing', ''],
    ['no JSON', '{"sku":'],
    ['no sku', '{}'],
    ['a sku that is no text', '{"sku":7}'],
    ['a body over 64 KiB', JSON.stringify({ padding: 'x'.repeat(66_000) })],
  ])('quotes the lowest tip for a request with %s', async (_, body) => {
    const response = await unlock(body)
    expect([response.status, termsOf(response).accepts[0].amount]).toEqual([402, '3000000'])
    expect(termsOf(response).resource.url).toBe(unlockUrl)
  })

  it.each([
    ['tip_10', '10000000'],
    ['tip_25', '25000000'],
    ['death_frames_pro', '5000000'],
    ['agent_cup_entry', '5000000'],
  ])('quotes %s at its price, whatever else is wrong, and says how to raise a spending cap', async (sku, amount) => {
    for (const playerName of ['Ada', 'not a name', undefined]) {
      const response = await unlock({ sku, playerName, colour: 'ignored' })
      expect([response.status, termsOf(response).accepts[0].amount]).toEqual([402, amount])
      expect((await read(response)).spendCap).toContain('setSpendControls')
    }
  })

  it('has no product of another name, with or without payment', async () => {
    const { header } = await signed({ sku: 'tip_3', playerName: 'Ada' })
    for (const response of [await unlock({ sku: 'sword_of_winning' }), await unlock({ sku: 'tip_4' }, header)]) {
      expect(response.status).toBe(404)
      expect(await response.json()).toMatchObject({ type: 'http://farthing.test/problems/unknown-sku', charged: false })
    }
  })

  it('refuses, uncharged, a paid request that names no player', async () => {
    const { header } = await signed({ sku: 'tip_3', playerName: 'Ada' })
    for (const body of [{ sku: 'tip_3' }, { sku: 'tip_3', playerName: '<b>' }, { sku: 'tip_3', playerName: 'admin' }]) {
      const response = await unlock(body, header)
      expect(response.status).toBe(400)
      expect(await response.json()).toMatchObject({ charged: false, errors: [{ pointer: '/playerName' }] })
    }
    for (const body of ['{}', '{"sku":', '']) expect((await unlock(body, header)).status).toBe(400)
    const asText = { 'content-type': 'text/plain', 'payment-signature': header }
    expect((await store.post('/api/store/unlock', { sku: 'tip_3', playerName: 'Ada' }, asText)).status).toBe(415)
    expect((await unlock(JSON.stringify({ sku: 'tip_3', p: 'x'.repeat(66_000) }), header)).status).toBe(413)
  })

  it('is refused by a stock client until its cap is raised', async () => {
    const body = init({ sku: 'tip_3', playerName: newName() })
    await expect(payingFetch(privateKey, store.ask)(unlockUrl, body)).rejects.toThrow()
    const paid = await payingFetch(privateKey, store.ask, { maxAmountPerPayment: '$3' })(unlockUrl, body)
    expect(paid.status).toBe(200)
  })

  it('sells each product for an unused name, and gives the token of that name to its buyer in the first answer', async () => {
    for (const sku of ['tip_3', 'tip_10', 'tip_25', 'death_frames_pro', 'agent_cup_entry']) {
      const playerName = newName()
      const before = [await transfers(), await store.sales()]
      const payment = await signed({ sku, playerName })
      const response = await unlock({ sku, playerName }, payment.header)
      expect(response.status).toBe(200)
      expect(response.headers.get('payment-response')).toBeTruthy()
      const answer = await read(response)
      expect(answer).toMatchObject({ ok: true, status: 'unlocked', sku, player: playerName, charged: true })
      expect(answer['transaction']).toMatch(/^0x[0-9a-f]{64}$/)
      expect([await transfers(), await store.sales()]).toEqual(before.map((count) => count + 1))
      const joined = await store.accounts.join({ name: playerName, kind: 'agent', token: answer.resumeToken ?? '' })
      expect(joined).toMatchObject({ is: 'joined', isResumed: true, account: { name: playerName, kind: 'agent' } })
      const held = await store.entitlements.of(playerName.toLowerCase())
      expect(held.entitlements.toSorted()).toEqual(answer.entitlements?.toSorted())
    }
  })

  it('shows the token again to the buyer alone, and never stores it', async () => {
    const body = { sku: 'tip_10', playerName: newName() }
    const payment = await signed(body)
    const first = await (await unlock(body, payment.header)).text()
    const token = answerSchema.parse(JSON.parse(first)).resumeToken ?? ''
    expect(token).toMatch(/^rt_/)
    expect(await (await unlock(body, payment.header)).text()).toBe(first)
    const stranger = await unlock(body, rebuiltFromChain(payment))
    expect([stranger.status, (await stranger.text()).includes(token)]).toEqual([410, false])
    const rows = await store.db.selectFrom('payment').selectAll().execute()
    const bodies = rows.map((row) => Buffer.from(row.body ?? []).toString() + JSON.stringify({ ...row, body: null }))
    expect(bodies.join('\n')).not.toContain(token)
    expect(store.logged.join('\n')).not.toContain(token)
    const seen = await (await store.ask(`/api/store/entitlements?player=${body.playerName}`)).text()
    expect(seen).not.toContain(token)
  })

  it('shows the token of a payment without a secret to a sender who comes before settlement, and to nobody afterwards', async () => {
    const body = { sku: 'tip_3', playerName: newName() }
    const header = rebuiltFromChain(await signed(body))
    const answers = await Promise.all(Array.from({ length: 4 }, async () => read(await unlock(body, header))))
    expect(new Set(answers.map(({ resumeToken }) => resumeToken)).size).toBe(1)
    const later = await unlock(body, header)
    expect([later.status, (await later.text()).includes('rt_')]).toEqual([403, false])
  })

  it('takes gifts for a player, whose token the giver never sees', async () => {
    const joined = await store.accounts.join({ name: 'Grace', kind: 'human' })
    const body = { sku: 'tip_3', playerName: 'grace' }
    const answer = await read(await unlock(body, (await signed(body)).header))
    expect([answer.player, answer.resumeToken]).toEqual(['Grace', undefined])
    expect((await store.entitlements.of('grace')).badges).toEqual(['badge_tip'])
    expect(joined.is).toBe('joined')
  })

  it('settles once and grants once, however many copies of one unlock arrive at once', async () => {
    const body = { sku: 'death_frames_pro', playerName: newName() }
    const before = [await transfers(), await store.sales()]
    const { header } = await signed(body)
    const answers = await Promise.all(Array.from({ length: 50 }, () => unlock(body, header)))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect(new Set(await Promise.all(answers.map((answer) => answer.text()))).size).toBe(1)
    expect([await transfers(), await store.sales()]).toEqual(before.map((count) => count + 1))
  })

  it('charges once for a permanent product, though several payments for it arrive at the same time', async () => {
    const body = { sku: 'death_frames_pro', playerName: newName() }
    const payments = await Promise.all(Array.from({ length: 5 }, () => signed(body)))
    const before = await transfers()
    const answers = await Promise.all(payments.map(({ header }) => unlock(body, header)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409, 409])
    const again = await Promise.all(payments.map(async ({ header }) => (await read(await unlock(body, header))).status))
    expect(again.toSorted()).toEqual([...Array<string>(4).fill('already_owned'), 'unlocked'])
    expect(await transfers()).toBe(before + 1)
  })

  it('tells an owner before and after signing, and charges nothing', async () => {
    for (const sku of ['death_frames_pro', 'agent_cup_entry']) {
      const body = { sku, playerName: newName() }
      expect((await read(await unlock(body))).alreadyOwned).toBeUndefined()
      const first = await signed(body)
      expect((await unlock(body, first.header)).status).toBe(200)
      const quote = await unlock({ ...body, playerName: body.playerName.toUpperCase() })
      expect(quote.status).toBe(402)
      expect((await read(quote)).alreadyOwned).toBe(true)
      const before = await transfers()
      const second = await unlock(body, (await signed(body)).header)
      expect(second.status).toBe(200)
      expect(second.headers.get('payment-response')).toBeNull()
      expect(await read(second)).toMatchObject({ status: 'already_owned', charged: false })
      expect(await transfers()).toBe(before)
      // The first purchase is still delivered for its own payment.
      expect((await read(await unlock(body, first.header))).status).toBe('unlocked')
    }
  })

  it('refuses a payment that bought another product or for another player', async () => {
    const body = { sku: 'tip_3', playerName: newName() }
    const { header } = await signed(body)
    expect((await unlock(body, header)).status).toBe(200)
    for (const other of [
      { ...body, sku: 'tip_10' },
      { ...body, playerName: newName() },
    ])
      expect((await unlock(other, header)).status).toBe(402)
  })

  it('grants nothing for a signature that cannot be read or money that is not there', async () => {
    const body = { sku: 'tip_3', playerName: newName() }
    const { privateKey: pauperKey } = sandboxAccounts.pauper
    const { header } = await sign(unlockUrl, init(body), {
      privateKey: pauperKey,
      fetch: store.ask,
      maxAmountPerPayment: '$3',
    })
    for (const signature of ['not a payment', header]) {
      const response = await unlock(body, signature)
      expect([response.status, response.headers.has('payment-required')]).toEqual([402, true])
      expect((await read(response)).charged).toBe(false)
    }
    expect(await store.accounts.findByName(body.playerName)).toBeUndefined()
  })

  it('counts its revenue from settled sales', async () => {
    const { revenue } = z
      .object({ revenue: z.object({ totalPurchases: z.int(), totalUsd: z.number() }) })
      .parse(await (await store.ask('/api/store')).json())
    const moved = await money.transfersTo()
    const dollars = moved.reduce((sum, { value }) => sum + Number(value ?? 0n), 0) / 1e6
    expect(revenue).toEqual({ totalPurchases: moved.length, totalUsd: dollars })
  })
})

describe('an entry for the Agent Cup', () => {
  const wish = { sku: 'agent_cup_entry', playerName: 'Entrant' }
  const cupSchema = z.object({ id: z.string(), isOpen: z.boolean(), closesAt: z.string().nullable(), text: z.string() })
  /** What is said of the entry before signing: in the body, in the header, and in the catalog. */
  const quote = async () => {
    const response = await unlock(wish)
    const header = decodeHeader(response.headers.get('payment-required'))
    const { description } = z.object({ resource: z.looseObject({ description: z.string() }) }).parse(header).resource
    const { products } = z
      .object({ products: z.array(z.looseObject({ sku: z.string() })) })
      .parse(await (await store.ask('/api/store')).json())
    const sold = products.find(({ sku }) => sku === wish.sku)
    const cup = cupSchema.parse((await read(response))['cup'])
    expect(cupSchema.parse(sold?.['cup'])).toEqual(cup)
    expect(description.endsWith(cup.text)).toBe(true)
    expect(products.filter((product) => 'cup' in product)).toHaveLength(1)
    return cup
  }

  it('says that no cup is open, and that the entry is for the next one', async () => {
    const { id, isOpen, closesAt, text } = await quote()
    expect([id, isOpen, closesAt]).toEqual(['cup-1', false, null])
    expect(text).toContain('No cup is open')
    expect(text).toContain('is for cup-1, the next cup')
  })

  it('says which cup is open and until when, and is for the next one once its time is over', async () => {
    const now = Date.now()
    await openCup(store.db, { hours: 5, now })
    const closesAt = new Date(now + 5 * 3_600_000).toISOString()
    expect(await quote()).toEqual({
      id: 'cup-1',
      isOpen: true,
      closesAt,
      text: `For cup-1, which is open until ${closesAt.slice(0, 16).replace('T', ' ')} UTC.`,
    })
    const { header } = await signed(wish)
    expect((await unlock(wish, header)).status).toBe(200)
    expect((await store.entitlements.of('entrant')).cups).toEqual(['cup-1'])
    await store.db
      .updateTable('cup')
      .set({ closes_at: now - 1 })
      .execute()
    expect(await quote()).toMatchObject({ id: 'cup-2', isOpen: false })
  })
})
