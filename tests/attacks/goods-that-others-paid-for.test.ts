import { encodeFunctionData, erc20Abi } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sandboxAccounts, sandboxPayTo } from '../../src/config/sandbox-accounts.ts'
import { usdcAddress } from '../../src/core/chain-constants.ts'
import { Problem } from '../../src/core/problem.ts'
import type { Make } from '../../src/offers/make.ts'
import type { Offer } from '../../src/offers/offer.ts'
import { textProduct } from '../../src/offers/product.ts'
import type { Ledger } from '../../src/payments/ledger/ledger.ts'
import type { LedgerDatabase } from '../../src/storage/open-ledger-database.ts'
import { makeChainActions } from '../support/chain-actions.ts'
import { openChainServices, openChainShop } from '../support/chain-shop.ts'
import { deployWallet, signForWallet } from '../support/hostile-wallets.ts'
import { type RunningMoney, startMoney } from '../support/money.ts'
import {
  encodeHeader,
  type PaymentWish,
  type SignedPayment,
  signPayment,
  testPayTo,
} from '../support/signed-payments.ts'
import { openTestLedger } from '../support/test-databases.ts'
import { leaflet, readTerms, type TestShop } from '../support/test-shop.ts'

const price = 100_000n

let money: RunningMoney
let hands: ReturnType<typeof makeChainActions>
let db: LedgerDatabase
let shop: TestShop
beforeAll(async () => {
  money = await startMoney()
  hands = makeChainActions(money.rpcUrl)
  db = await openTestLedger()
  shop = await openChainShop(money, { db })
})
afterAll(async () => {
  await db?.destroy()
  await money?.stop()
})

const sign = (wish: Partial<PaymentWish> = {}): Promise<SignedPayment> =>
  signPayment({ amount: price, payTo: sandboxPayTo, ...wish })
const transfers = async (): Promise<number> => (await money.transfersTo()).length
const statusOf = async (answer: Promise<Response>): Promise<number> => (await answer).status

/** The payment as anybody can reconstruct it from the chain: without its extensions. */
function asReadOnChain({ payload: { extensions: _, ...onChain } }: SignedPayment): string {
  return encodeHeader(onChain)
}

/** The same with a payment-identifier that somebody guessed or overheard. */
const underName = ({ payload }: SignedPayment, id: string): string =>
  encodeHeader({ ...payload, extensions: { 'payment-identifier': { info: { required: false, id } } } })

/** Buys in a shop that crashes after the money moved and before it responds. */
async function payAndCrash(payment: SignedPayment): Promise<void> {
  const dying = await openChainShop(money, {
    db,
    wrapLedger: (ledger: Ledger): Ledger => ({ ...ledger, recordSale: () => Promise.reject(new Error('killed')) }),
  })
  const moved = await transfers()
  expect([await statusOf(dying.buyLeaflet(payment.header)), await transfers()]).toEqual([503, moved + 1])
}

describe('between a crash and the return of the buyer', () => {
  it('a stranger who reads the payment on the chain gets nothing, and the buyer with its token gets the product', async () => {
    const payment = await sign({ token: 'only-the-buyer-has-it' })
    await payAndCrash(payment)
    for (let copy = 0; copy < 2; copy++) {
      const stranger = await shop.buyLeaflet(asReadOnChain(payment))
      expect([stranger.status, await stranger.json()]).toMatchObject([403, { charged: true, retryable: false }])
    }
    expect(await statusOf(shop.buyLeaflet(payment.header))).toBe(200)
  })

  it('a buyer whose client echoes no token proves the wallet with a fresh signature, and pays once', async () => {
    const payment = await sign()
    await payAndCrash(payment)
    const moved = await transfers()
    expect(await statusOf(shop.buyLeaflet(payment.header))).toBe(403)
    const proof = await sign()
    expect(await statusOf(shop.buyLeaflet(proof.header))).toBe(200)
    expect(await statusOf(shop.buyLeaflet(proof.header))).toBe(200)
    expect([await transfers(), await hands.isUsed(proof)]).toEqual([moved, false])
  })

  it('a forged signature, one of another wallet and one that was already used on the chain prove nothing', async () => {
    const spent = await sign({ token: 'of-another-purchase' })
    expect(await statusOf(shop.buyLeaflet(spent.header))).toBe(200)
    const payment = await sign()
    await payAndCrash(payment)
    const { payload } = await sign()
    const forged = { ...payload, payload: { ...payload.payload, signature: `0x${'0'.repeat(130)}` } }
    const forgedWell = await sign({ privateKey: sandboxAccounts.relayer.privateKey })
    const inHisName = structuredClone(forgedWell.payload)
    inHisName.payload.authorization.from = sandboxAccounts.buyer.address
    const answers = [encodeHeader(forged), encodeHeader(inHisName), asReadOnChain(spent)]
    const statuses = await Promise.all(answers.map((header) => statusOf(shop.buyLeaflet(header))))
    expect(statuses).toEqual([402, 402, 410])
    expect(await statusOf(shop.buyLeaflet(payment.header))).toBe(403)
    expect(await statusOf(shop.buyLeaflet((await sign()).header))).toBe(200)
  })

  it('a contract wallet proves itself with a signature that its contract accepts', async () => {
    const wallet = await deployWallet(money.rpc, 'accepts')
    const payment = await signForWallet(wallet, { amount: price, payTo: sandboxPayTo })
    await payAndCrash(payment)
    expect(await statusOf(shop.buyLeaflet(payment.header))).toBe(403)
    const proof = await signForWallet(wallet, { amount: price, payTo: sandboxPayTo })
    const moved = await transfers()
    expect([await statusOf(shop.buyLeaflet(proof.header)), await transfers()]).toEqual([200, moved])
  })
})

describe('a payment-identifier', () => {
  const id = 'order-0123456789abcdef'

  it('is no password: knowing it and the payer gets neither product nor receipt', async () => {
    const payment = await sign({ identifier: id })
    expect(await statusOf(shop.buyLeaflet(payment.header))).toBe(200)
    const fresh = await sign({ identifier: id, privateKey: sandboxAccounts.relayer.privateKey })
    fresh.payload.payload.authorization.from = sandboxAccounts.buyer.address
    const zero = structuredClone(fresh.payload)
    zero.payload.signature = `0x${'0'.repeat(130)}`
    for (const header of [encodeHeader(zero), encodeHeader(fresh.payload), underName(payment, id)]) {
      const answer = await shop.buyLeaflet(header)
      expect([402, 403, 410]).toContain(answer.status)
      expect(answer.headers.get('x-receipt-id')).toBeNull()
    }
  })

  it('with a fresh signature of the wallet fetches the purchase, which is not charged again', async () => {
    const moved = await transfers()
    const again = await sign({ identifier: id })
    expect(await statusOf(shop.buyLeaflet(again.header))).toBe(200)
    expect([await transfers(), await hands.isUsed(again)]).toEqual([moved, false])
  })

  it('buys anew after the stored product has been deleted', async () => {
    const moved = await transfers()
    const clock = { ms: Date.now() + 8 * 24 * 3600 * 1000 }
    const { facilitator, oracle } = openChainServices(money)
    // The chain's own clock stays: moving it would make the signatures of later tests expire.
    const chain = { facilitator, oracle: { ...oracle, time: async () => clock.ms } }
    const later = await openChainShop(money, { db, clock, chain })
    expect((await later.payments.forget()).products).toBeGreaterThan(0)
    const anew = await shop.buyLeaflet((await sign({ identifier: id, token: 'a-token' })).header)
    expect([anew.status, await transfers()]).toEqual([200, moved + 1])
  })
})

it('a copy without a token is told to wait while the money moves, and then proves nothing', async () => {
  const payment = await sign()
  let copy: Promise<Response> | undefined
  const watched = await openChainShop(money, {
    db,
    wrapLedger: (ledger: Ledger): Ledger => ({
      ...ledger,
      async recordSale(...given) {
        copy ??= watched.buyLeaflet(payment.header)
        expect(await statusOf(copy)).toBe(409)
        return ledger.recordSale(...given)
      },
    }),
  })
  expect(await statusOf(watched.buyLeaflet(payment.header))).toBe(200)
  expect(await statusOf(watched.buyLeaflet(payment.header))).toBe(403)
  expect(await statusOf(watched.buyLeaflet((await sign()).header))).toBe(200)
})

it('of several proofs at once one fetches what is owed, and the others are purchases', async () => {
  const payment = await sign()
  const moved = await transfers()
  const statuses = [await statusOf(shop.buyLeaflet(payment.header)), await statusOf(shop.buyLeaflet(payment.header))]
  const fresh = await Promise.all([1, 2, 3].map((number) => sign({ token: `fresh-${number}` })))
  const answers = await Promise.all(fresh.map(({ header }) => statusOf(shop.buyLeaflet(header))))
  expect([statuses, answers, await transfers()]).toEqual([[200, 403], [200, 200, 200], moved + 3])
})

it('two purchases of the same thing by one wallet at the same time are two purchases', async () => {
  const moved = await transfers()
  const payments = await Promise.all([1, 2, 3, 4].map((number) => sign({ token: `token-${number}` })))
  const answers = await Promise.all(payments.map(({ header }) => statusOf(shop.buyLeaflet(header))))
  expect([answers, await transfers()]).toEqual([[200, 200, 200, 200], moved + 4])
})

it('one payment-identifier is charged once, also when its wallet was empty by the time its first signatures were settled', async () => {
  const wish = { privateKey: generatePrivateKey(), identifier: 'the-name-of-one-purchase', token: 'a-token' }
  const wallet = privateKeyToAddress(wish.privateKey)
  const send = async (from: string, to: `0x${string}`, amount: bigint): Promise<void> => {
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, amount] })
    await money.rpc('anvil_impersonateAccount', [from])
    await money.rpc('anvil_setBalance', [from, '0xde0b6b3a7640000'])
    await money.rpc('eth_sendTransaction', [{ from, to: usdcAddress, data }])
  }
  let isSpentMeanwhile = true
  const make: Make = async () => {
    if (isSpentMeanwhile) await send(wallet, sandboxAccounts.relayer.address, price)
    return textProduct('a leaflet')
  }
  const named = await openChainShop(money, { db, make })
  const [first, second, third] = [await sign(wish), await sign(wish), await sign(wish)]
  for (const { header } of [first, second]) {
    await send(sandboxAccounts.buyer.address, wallet, price)
    expect(await statusOf(named.buyLeaflet(header))).toBe(402)
  }
  isSpentMeanwhile = false
  await send(sandboxAccounts.buyer.address, wallet, 10n * price)
  const moved = await transfers()
  const statuses: number[] = []
  for (const { header } of [first, second, third, first]) statuses.push(await statusOf(named.buyLeaflet(header)))
  expect([statuses, await transfers()]).toEqual([[200, 200, 200, 200], moved + 1])
})

describe('a shop whose ledger was restored from a backup', () => {
  /** The same shop with a ledger from before the purchases, as after a restore. */
  const restore = async (): Promise<TestShop> => openChainShop(money, { db: await openTestLedger() })

  it('never says that nothing was charged for a payment that paid it, also when terms and time have changed since', async () => {
    const payment = await sign({ token: 'a-token' })
    expect(await statusOf(shop.buyLeaflet(payment.header))).toBe(200)
    const restored = await restore()
    const dearer = restored.buyerOf({ ...leaflet, price: 200_000n } satisfies Offer)
    const late = await openChainShop(money, { db: restored.db, clock: { ms: Date.now() + 3600_000 } })
    const asks = [
      [dearer, 409],
      [restored.buyLeaflet, 403],
      [dearer, 409],
      [late.buyLeaflet, 403],
    ] as const
    for (const [ask, status] of asks) {
      const answer = await ask(payment.header)
      expect([answer.status, await answer.json()]).toMatchObject([status, { charged: true }])
    }
    expect((await restored.sales()).count).toBe(1)
    await restored.db.destroy()
  })

  it('makes the product again for the wallet that paid, once and free of charge, and not for a reader of the chain', async () => {
    const payment = await sign({ token: 'a-token' })
    expect(await statusOf(shop.buyLeaflet(payment.header))).toBe(200)
    const moved = await transfers()
    const restored = await restore()
    expect(await statusOf(restored.buyLeaflet(payment.header))).toBe(403)
    const forged = await sign({ privateKey: sandboxAccounts.relayer.privateKey })
    forged.payload.payload.authorization.from = sandboxAccounts.buyer.address
    expect(await statusOf(restored.buyLeaflet(encodeHeader(forged.payload)))).toBe(402)
    const proof = await sign({ token: 'a-token-of-today' })
    const copies = await Promise.all([1, 2].map(() => statusOf(restored.buyLeaflet(proof.header))))
    expect([copies, restored.made.count, await transfers()]).toEqual([[200, 200], 1, moved])
    const next = await restored.buyLeaflet((await sign({ token: 'another' })).header)
    expect([next.status, await transfers()]).toEqual([200, moved + 1])
    const [sale] = await restored.db.selectFrom('sale').selectAll().execute()
    expect(sale).toMatchObject({ offer_id: leaflet.id, amount: '100000', finality: 'mined' })
    await restored.db.destroy()
  })

  it('makes it for a second proof, for nothing, when nothing could be made for the first one', async () => {
    const payment = await sign({ token: 'a-token' })
    expect(await statusOf(shop.buyLeaflet(payment.header))).toBe(200)
    const moved = await transfers()
    let isFirst = true
    const make: Make = async () => {
      if (!isFirst) return textProduct('made at last')
      isFirst = false
      throw new Problem('work-failed', { charged: false })
    }
    const restored = await openChainShop(money, { db: await openTestLedger(), make })
    const asks = [payment, await sign(), payment, await sign()]
    const statuses: number[] = []
    for (const { header } of asks) statuses.push(await statusOf(restored.buyLeaflet(header)))
    expect([statuses, await transfers()]).toEqual([[403, 502, 403, 200], moved])
    await restored.db.destroy()
  })

  it('makes nothing for a payment that is less than the price, whoever sent it to the chain', async () => {
    const dust = await sign({ amount: 1n })
    await hands.broadcast(dust)
    const restored = await restore()
    const answer = await restored.buyLeaflet(dust.header)
    expect([answer.status, await answer.json()]).toMatchObject([409, { charged: true }])
    const moved = await transfers()
    expect(await statusOf(restored.buyLeaflet((await sign()).header))).toBe(200)
    expect([await transfers(), (await restored.sales()).count]).toEqual([moved + 1, 1])
    await restored.db.destroy()
  })

  it('refuses a payment whose authorization was cancelled on the chain', async () => {
    const cancelled = await sign()
    await hands.cancel(cancelled)
    const answer = await shop.buyLeaflet(cancelled.header)
    expect([answer.status, readTerms(answer).error]).toEqual([402, expect.stringContaining('nonce')])
  })
})

it('a payment whose nonce paid somebody else buys nothing, whether that happened before the purchase or during it', async () => {
  const spend = async ({ nonce }: SignedPayment) => hands.broadcast(await sign({ nonce, payTo: testPayTo }))
  const [moved, before] = [await transfers(), (await shop.sales()).count]
  const early = await sign({ token: 'a-token' })
  await spend(early)
  const refused = await shop.buyLeaflet(early.header)
  expect([refused.status, readTerms(refused).error]).toEqual([402, expect.stringContaining('nonce')])

  const late = await sign({ token: 'another' })
  const make: Make = async () => {
    await spend(late)
    return textProduct('what was not paid for')
  }
  const slow = await openChainShop(money, { db, make })
  for (let copy = 0; copy < 2; copy++) {
    const answer = await slow.buyLeaflet(late.header)
    expect([answer.status, await answer.text()]).toEqual([402, expect.not.stringContaining('what was not paid for')])
  }
  expect([await transfers(), (await shop.sales()).count]).toEqual([moved, before])
  expect((await money.transfersTo(testPayTo)).map(({ value }) => value)).toEqual([price, price])
})
