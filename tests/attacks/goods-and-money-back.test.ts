import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sandboxPayTo } from '../../src/config/sandbox-accounts.ts'
import { toToolBazaar } from '../../src/discovery/bazaar.ts'
import { makeChainOracle } from '../../src/payments/chain/chain-oracle.ts'
import type { Facilitator } from '../../src/payments/facilitator/facilitator-client.ts'
import { makeSalesStatistics } from '../../src/stats/sales-statistics.ts'
import { makeChainActions } from '../support/chain-actions.ts'
import { openChainShop } from '../support/chain-shop.ts'
import { deployWallet, signForWallet } from '../support/hostile-wallets.ts'
import { type RunningMoney, startMoney } from '../support/money.ts'
import { type PaymentWish, type SignedPayment, signPayment } from '../support/signed-payments.ts'
import type { TestShop } from '../support/test-shop.ts'

const price = 100_000n

let money: RunningMoney
let hands: ReturnType<typeof makeChainActions>
let shop: TestShop
const signed = new Map<string, SignedPayment>()

/** Sends each transaction only once. Our own facilitator would notice that the chain lost it, and send it again. */
const facilitator: Facilitator = {
  verify: async () => ({ is: 'valid' }),
  async settle({ authorization }) {
    const payment = signed.get(authorization.nonce)
    if (!payment) throw new Error('a payment that nobody signed')
    try {
      return { is: 'claimed', transaction: await hands.broadcast(payment) }
    } catch (cause) {
      return { is: 'unknown', cause }
    }
  },
  restLeftMs: () => 0,
}

beforeAll(async () => {
  money = await startMoney()
  hands = makeChainActions(money.rpcUrl)
  shop = await openChainShop(money, {
    chain: { facilitator, oracle: makeChainOracle(money.rpcUrl) },
    advertiseTool: (offer, tool) => ({ bazaar: toToolBazaar(offer, tool) }),
  })
})
afterAll(async () => {
  await shop?.db.destroy()
  await money?.stop()
})

/** Mines blocks, so that earlier ones become safe and then final on the local chain. */
const mine = (blocks: number) => money.rpc('anvil_mine', [`0x${blocks.toString(16)}`])
/** Drops the newest blocks and mines as many empty ones instead. */
const reorganise = (depth: number) => money.rpc('anvil_reorg', [depth, []])

const chainSeconds = async (): Promise<number> => {
  const block = await money.rpc('eth_getBlockByNumber', ['latest', false])
  if (typeof block !== 'object' || block === null || !('timestamp' in block)) throw new Error('no block')
  return Number(block.timestamp)
}

const sign = async (wish: Partial<PaymentWish> = {}): Promise<SignedPayment> => {
  const payment = await signPayment({ amount: price, payTo: sandboxPayTo, token: 'a-token', ...wish })
  signed.set(payment.nonce, payment)
  return payment
}

const saleOf = async ({ nonce }: SignedPayment) =>
  shop.db
    .selectFrom('sale')
    .innerJoin('payment', 'payment.key', 'sale.payment_key')
    .select([
      'payment.state',
      'sale.id',
      'sale.finality',
      'sale.reversed_at',
      'sale.transaction_hash',
      'payment.payload',
    ])
    .where('payment.nonce', '=', nonce)
    .executeTakeFirstOrThrow()

const counted = async (): Promise<number> => {
  const statistics = makeSalesStatistics({ db: shop.db, ownWallets: [], now: Date.now })
  return (await statistics.read()).totalTransactions
}

describe('a sale that the chain confirms', () => {
  it('is checked when its block is safe and once more when it is final; then its signature is deleted', async () => {
    const payment = await sign()
    expect((await shop.buyLeaflet(payment.header)).status).toBe(200)
    expect((await saleOf(payment)).finality).toBe('mined')
    await shop.payments.reconcile()
    expect((await saleOf(payment)).finality).toBe('mined')
    await mine(33)
    await shop.payments.reconcile()
    expect(await saleOf(payment)).toMatchObject({ finality: 'safe', payload: expect.any(String) })
    await mine(33)
    await shop.payments.reconcile()
    expect(await saleOf(payment)).toMatchObject({ finality: 'final', payload: null, reversed_at: null })
  })
})

describe('a sale whose transfer a reorganisation drops after the product was delivered', () => {
  it('is settled again while its authorization is valid, under the same receipt', async () => {
    const payment = await sign()
    expect((await shop.buyLeaflet(payment.header)).status).toBe(200)
    const before = await saleOf(payment)
    const [sold, moved] = [await counted(), (await money.transfersTo()).length]
    await reorganise(1)
    expect((await money.transfersTo()).length).toBe(moved - 1)
    await mine(33)
    shop.events.length = 0
    await shop.payments.reconcile()
    expect(shop.events).toEqual(['sale.reversed', 'sale.settled'])
    const after = await saleOf(payment)
    expect([after.id, after.state, after.reversed_at]).toEqual([before.id, 'settled', null])
    expect([await counted(), (await money.transfersTo()).length]).toEqual([sold, moved])
  })

  it('is settled again when a tool sold it to a contract wallet with a very long signature', async () => {
    const wallet = await deployWallet(money.rpc, 'accepts')
    const payment = await signForWallet(wallet, { amount: price, payTo: sandboxPayTo }, `0x${'01'.repeat(4000)}`)
    signed.set(payment.nonce, payment)
    expect((await shop.buyLeafletBy.mcp(payment.header)).status).toBe(200)
    const moved = (await money.transfersTo()).length
    await reorganise(1)
    await mine(33)
    await shop.payments.reconcile()
    expect(await saleOf(payment)).toMatchObject({ state: 'settled', reversed_at: null })
    expect((await money.transfersTo()).length).toBe(moved)
  })

  it('is reversed when its authorization has expired, and its receipt says so', async () => {
    const payment = await sign({ validBefore: (await chainSeconds()) + 280 })
    expect((await shop.buyLeaflet(payment.header)).status).toBe(200)
    const sold = await counted()
    await reorganise(1)
    await money.rpc('evm_increaseTime', [300])
    await mine(33)
    await shop.payments.reconcile()
    expect(await saleOf(payment)).toMatchObject({ state: 'failed', reversed_at: expect.any(Number) })
    expect(await counted()).toBe(sold - 1)
    const { id } = await saleOf(payment)
    expect((await shop.payments.receipts.find(id))?.reversedAt).toEqual(expect.any(String))
    await shop.payments.reconcile()
    expect(await counted()).toBe(sold - 1)
  })
})
