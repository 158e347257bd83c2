import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { sandboxAccounts, sandboxPayTo } from '../../src/config/sandbox-accounts.ts'
import { type FaultyFacilitator, startFaultyFacilitator } from '../support/faulty-facilitator.ts'
import { deployHostileContracts, toTransferCall } from '../support/hostile-wallets.ts'
import { type RunningMoney, startMoney } from '../support/money.ts'
import { readLedger } from '../support/read-ledger.ts'
import { type RunningSite, startSite } from '../support/running-site.ts'
import { type PaymentWish, type SignedPayment, signPayment } from '../support/signed-payments.ts'

const path = '/api/x402/agent-seo/bot-catalog'
const price = 50_000n
const attacker = sandboxAccounts.buyer.address
const stranger = '0x3333333333333333333333333333333333331402'

let money: RunningMoney
let facilitator: FaultyFacilitator
let site: RunningSite
let hands: Awaited<ReturnType<typeof deployHostileContracts>>
beforeAll(async () => {
  money = await startMoney()
  facilitator = await startFaultyFacilitator({ upstreamUrl: money.facilitatorUrl })
  site = await startSite({ facilitatorUrl: facilitator.url, rpcUrl: money.rpcUrl })
  hands = await deployHostileContracts(money)
})
afterAll(async () => {
  await site?.kill('SIGTERM')
  await facilitator?.close()
  await money?.stop()
})

const sign = (wish: Partial<PaymentWish> = {}): Promise<SignedPayment> =>
  signPayment({ amount: price, payTo: sandboxPayTo, token: 'a-token', ...wish })

/** Another authorization with the same nonce, which the attacker can sign as well. */
const decoyOf = ({ nonce }: SignedPayment, wish: Partial<PaymentWish> = {}): Promise<SignedPayment> =>
  sign({ nonce, amount: 0n, payTo: attacker, ...wish })

/** Sends a purchase and returns when the shop waits for the chain; the request to settle it is lost on the way. */
async function begin(payment: SignedPayment): Promise<() => Promise<number>> {
  const calls = facilitator.calls.settle
  facilitator.faults.settle.push('drop-before')
  const answer = site.fetch(path, { headers: { 'PAYMENT-SIGNATURE': payment.header } })
  while (facilitator.calls.settle === calls) await delay(5)
  return async () => (await answer).status
}

const salesOf = async (payments: readonly SignedPayment[]): Promise<number> =>
  (await readLedger(site.dataDir)).rows
    .filter(({ nonce }) => payments.some((payment) => payment.nonce === nonce))
    .reduce((sum, { sales }) => sum + Number(sales), 0)

it('sells one product for one transfer, when the other nonces of the transaction were used up by transfers to oneself', async () => {
  const payments = await Promise.all([sign(), sign(), sign(), sign()])
  const [paid, ...unpaid] = payments
  const answers: (() => Promise<number>)[] = []
  for (const payment of payments) answers.push(await begin(payment))
  const [before, after, ...more] = (await Promise.all(unpaid.map((payment) => decoyOf(payment)))).map(toTransferCall)
  if (!paid || !before || !after) throw new Error('too few payments')
  // The decoys stand around the payment, and some events come from a contract that is not the token.
  await hands.run([
    hands.pretendUse(attacker, unpaid[0]?.nonce ?? '0x'),
    before,
    hands.pretendTransfer(attacker, sandboxPayTo, price),
    toTransferCall(paid),
    hands.pretendTransfer(attacker, sandboxPayTo, price),
    after,
    ...more,
  ])
  const statuses = await Promise.all(answers.map((status) => status()))
  expect(statuses).toEqual([200, 402, 402, 402])
  expect([await salesOf(payments), (await money.transfersTo()).length]).toEqual([1, 1])
})

it('sells nothing for a transfer to somebody else under its nonce, whatever else the transaction pays', async () => {
  const [paid, stolen] = await Promise.all([sign(), sign()])
  const elsewhere = await decoyOf(stolen, { amount: price, payTo: stranger })
  const answers = [await begin(paid), await begin(stolen)]
  const moved = (await money.transfersTo()).length
  await hands.run([toTransferCall(elsewhere), toTransferCall(paid)])
  expect(await Promise.all(answers.map((status) => status()))).toEqual([200, 402])
  expect([await salesOf([paid, stolen]), (await money.transfersTo()).length - moved]).toEqual([1, 1])
})

it('sells both of two purchases that one transaction truly paid, each for its own transfer', async () => {
  const payments = await Promise.all([sign(), sign()])
  const answers: (() => Promise<number>)[] = []
  for (const payment of payments) answers.push(await begin(payment))
  const moved = (await money.transfersTo()).length
  await hands.run(payments.map(toTransferCall))
  expect(await Promise.all(answers.map((status) => status()))).toEqual([200, 200])
  expect([await salesOf(payments), (await money.transfersTo()).length - moved]).toEqual([2, 2])
})
