import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sandboxAccounts, sandboxPayTo } from '../../src/config/sandbox-accounts.ts'
import { makeChainActions } from '../support/chain-actions.ts'
import {
  type Fault,
  type FaultyFacilitator,
  foreignText,
  startFaultyFacilitator,
} from '../support/faulty-facilitator.ts'
import { type RunningMoney, startMoney } from '../support/money.ts'
import { readLedger } from '../support/read-ledger.ts'
import { type RunningSite, startSite, testBaseUrl } from '../support/running-site.ts'
import { encodeHeader, type PaymentWish, type SignedPayment, signPayment } from '../support/signed-payments.ts'
import { decodeHeader } from '../support/stock-client.ts'

const path = '/api/x402/agent-seo/bot-catalog'
const price = 50_000n
const deadlineMs = 2000
const slow: Fault = { slowMs: 3000 }

/** Each fault with its outcome. Those with the outcome `delivered` settle before they fail. */
const settleFaults: [what: string, outcome: 'unknown' | 'delivered' | 'refused', first: Fault, second?: Fault][] = [
  ['down', 'unknown', 'down'],
  ['too slow, but settled', 'delivered', slow],
  ['dropped before', 'unknown', 'drop-before'],
  ['dropped after settling', 'delivered', 'drop-after'],
  ['500 before', 'unknown', 'status-500-before'],
  ['500 after settling', 'delivered', 'status-500-after'],
  ['garbage', 'unknown', 'garbage'],
  ['huge', 'unknown', 'huge'],
  ['redirect', 'unknown', 'redirect'],
  ['pending', 'unknown', 'pending'],
  ['pending twice', 'unknown', 'pending', 'pending'],
  ['pending after settling', 'delivered', 'pending-after'],
  ['success with a transaction nobody sent', 'unknown', 'lie-transaction'],
  ["success with somebody else's transaction", 'unknown', 'lie-other'],
  ['success on another network, settled', 'delivered', 'lie-network'],
  ['success for another payer, settled', 'delivered', 'lie-payer'],
  ['refused for want of funds', 'refused', 'refused'],
]

/** The response to one paid request. */
interface Answer {
  status: number
  type: string | null
  retryAfter: string | null
  receipt: string | null
  paid: unknown
  text: string
  /** Whether the authorization was used on the chain when the response came. */
  wasUsed: boolean
}

let money: RunningMoney
let facilitator: FaultyFacilitator
let site: RunningSite
let hands: ReturnType<typeof makeChainActions>
let bought = 0

const signNew = (wish: Partial<PaymentWish> = {}): Promise<SignedPayment> =>
  signPayment({
    amount: price,
    payTo: sandboxPayTo,
    validBefore: Math.floor(Date.now() / 1000) + 900,
    token: 'my-token',
    ...wish,
  })

async function pay(payment: SignedPayment): Promise<Answer> {
  const response = await site.fetch(path, { headers: { 'PAYMENT-SIGNATURE': payment.header } })
  const { status, headers } = response
  const text = await response.text()
  const wasUsed = await hands.isUsed(payment)
  for (const foreign of [foreignText, 'SECRET-KEY', 'rpc.example', 'hotel network', 'xxxxxxxx'])
    expect(`${JSON.stringify([...headers])}${text}`).not.toContain(foreign)
  return {
    status,
    type: headers.get('content-type'),
    retryAfter: headers.get('retry-after'),
    receipt: headers.get('x-receipt-id'),
    paid: decodeHeader(headers.get('payment-response')),
    text,
    wasUsed,
  }
}

/** Sends a new payment so that this fault meets it, and waits for no answer. */
async function begin(
  operation: 'verify' | 'settle',
  fault: Fault,
): Promise<{ payment: SignedPayment; answer: Promise<Answer> }> {
  const payment = await signNew()
  const calls = facilitator.calls[operation]
  facilitator.faults[operation].push(fault)
  const answer = pay(payment)
  // Only prevents an unhandled rejection: the test that awaits the result sees its failure.
  answer.catch(() => {})
  while (facilitator.calls[operation] === calls) await delay(5)
  return { payment, answer }
}

/** A purchase by another buyer succeeds in between, so that the site does not take its facilitator for down. */
async function buyInBetween(): Promise<string> {
  const { status, paid } = await pay(await signNew())
  expect(status).toBe(200)
  bought += 1
  return String((paid as { transaction: string }).transaction)
}

/** Payments that met a fault at settlement; they wait for the chain while other tests run. */
const unsettled: { what: string; secondFault: Fault | undefined; payment: SignedPayment; answer: Promise<Answer> }[] =
  []

beforeAll(async () => {
  money = await startMoney()
  hands = makeChainActions(money.rpcUrl)
  facilitator = await startFaultyFacilitator({ upstreamUrl: money.facilitatorUrl })
  site = await startSite({
    facilitatorUrl: facilitator.url,
    rpcUrl: money.rpcUrl,
    program: 'tests/hostile/watched-site.ts',
    env: { TEST_DEADLINE_MS: String(deadlineMs) },
  })
  facilitator.otherTransaction = await buyInBetween()
  for (const [what, , fault, secondFault] of settleFaults) {
    unsettled.push({ what, secondFault, ...(await begin('settle', fault)) })
    await buyInBetween()
  }
})
afterAll(async () => {
  await site?.kill('SIGTERM')
  await facilitator?.close()
  await money?.stop()
})

/** The first response, and that to the same request after the fault is gone. */
type Story = { payment: SignedPayment; first: Answer; again: Answer }

function expectUnknown({ status, text, retryAfter, paid, receipt }: Answer): void {
  expect(status).toBe(503)
  expect(JSON.parse(text)).toMatchObject({
    type: `${testBaseUrl}/problems/settlement-unknown`,
    charged: 'unknown',
    retryable: true,
  })
  expect(Number(retryAfter)).toBeGreaterThan(0)
  expect(paid).toMatchObject({ success: false, errorReason: 'settlement_pending' })
  expect(receipt).toBeNull()
}

/** Pays again while the response is 409: the site reconciles the payment by itself and asks the buyer to wait. */
async function payInTurn(payment: SignedPayment): Promise<Answer> {
  for (;;) {
    const answer = await pay(payment)
    if (answer.status !== 409) return answer
    await delay(200)
  }
}

function expectDelivered({ status, paid, receipt, text, wasUsed }: Answer): void {
  expect([status, wasUsed]).toEqual([200, true])
  expect(paid).toMatchObject({ success: true })
  expect(receipt).toMatch(/^r_/)
  expect(text.length).toBeGreaterThan(5000)
}

const expectOneSale = async ({ nonce }: SignedPayment): Promise<void> =>
  expect((await readLedger(site.dataDir)).rows.filter((row) => row.nonce === nonce)).toMatchObject([
    { state: 'settled', sales: 1 },
  ])

describe('when checking a payment fails', () => {
  const faults: [what: string, fault: Fault][] = [
    ['down', 'down'],
    ['too slow', slow],
    ['dropped before', 'drop-before'],
    ['dropped after', 'drop-after'],
    ['500 before', 'status-500-before'],
    ['500 after', 'status-500-after'],
    ['garbage', 'garbage'],
    ['huge', 'huge'],
    ['redirect', 'redirect'],
  ]
  const stories = new Map<string, Story>()
  let madeBefore = 0
  let madeMeanwhile = 0
  const countMade = () => site.output().split('made\n').length - 1

  beforeAll(async () => {
    const begun = []
    madeBefore = countMade()
    for (const [what, fault] of faults) {
      begun.push({ what, ...(await begin('verify', fault)) })
      await buyInBetween()
    }
    madeMeanwhile = countMade()
    for (const { what, payment, answer } of begun)
      stories.set(what, { payment, first: await answer, again: await pay(payment) })
    bought += begun.length
  })

  it.each(faults)('(%s) the buyer is told to come again, uncharged, and then gets the product', async (what) => {
    const story = stories.get(what)
    if (!story) throw new Error('nothing was sent')
    const { payment, first, again } = story
    expect([first.status, first.wasUsed, first.paid]).toEqual([503, false, undefined])
    expect(JSON.parse(first.text)).toMatchObject({
      type: `${testBaseUrl}/problems/facilitator-unavailable`,
      charged: false,
      retryable: true,
    })
    expect(Number(first.retryAfter)).toBeGreaterThan(0)
    expectDelivered(again)
    await expectOneSale(payment)
  })

  it('nothing is made before the payment is checked', () => {
    // One product for each purchase in between, and after that one for each payment that was sent again.
    expect(madeMeanwhile - madeBefore).toBe(faults.length)
    expect(countMade() - madeMeanwhile).toBe(faults.length)
  })

  it('a facilitator that calls a forged signature valid gives nothing away', async () => {
    const { payload, ...payment } = await signNew()
    const forged = `0x${'11'.repeat(64)}1b` as const
    const header = encodeHeader({ ...payload, payload: { ...payload.payload, signature: forged } })
    facilitator.faults.verify.push('lie-transaction')
    const answer = await pay({ ...payment, payload, header })
    expect([answer.status, answer.wasUsed, answer.receipt]).toEqual([402, false, null])
    expect(JSON.parse(answer.text)).toMatchObject({ charged: false })
    expect((await pay({ ...payment, payload, header })).status).toBe(402)
  })

  it('a facilitator that calls the payment of an empty wallet valid gives nothing away', async () => {
    const payment = await signNew({ privateKey: sandboxAccounts.pauper.privateKey })
    facilitator.faults.verify.push('lie-transaction')
    const { status, text, receipt } = await pay(payment)
    expect([status, receipt, JSON.parse(text).charged]).toEqual([402, null, false])
  })
})

describe('when settling a payment fails', () => {
  const stories = new Map<string, Story & { second?: Answer }>()

  beforeAll(async () => {
    const waited = []
    for (const { what, payment, secondFault, answer } of unsettled) {
      const first = await answer
      const calls = facilitator.calls.settle
      if (secondFault) facilitator.faults.settle.push(secondFault)
      const second = secondFault && pay(payment)
      while (second && facilitator.calls.settle === calls) await delay(5)
      waited.push({ what, payment, first, second })
    }
    for (const { what, payment, first, second } of waited) {
      const answer = await second
      stories.set(what, { payment, first, ...(answer && { second: answer }), again: await payInTurn(payment) })
    }
    bought += unsettled.length
  })

  it.each(settleFaults)(
    '(%s) the first answer is: %s; the same signature then gets the product',
    async (what, outcome) => {
      const story = stories.get(what)
      if (!story) throw new Error('nothing was sent')
      const { payment, first, second, again } = story
      switch (outcome) {
        case 'unknown':
          expectUnknown(first)
          expect(first.wasUsed).toBe(false)
          if (second) expectUnknown(second)
          break
        case 'delivered':
          expectDelivered(first)
          expect([again.text, again.paid, again.receipt]).toEqual([first.text, first.paid, first.receipt])
          break
        case 'refused':
          expect([first.status, first.wasUsed, first.receipt]).toEqual([402, false, null])
          expect(JSON.parse(first.text)).toMatchObject({ charged: false, error: 'insufficient_funds' })
          expect(first.paid).toMatchObject({ success: false, errorReason: 'insufficient_funds' })
      }
      expectDelivered(again)
      await expectOneSale(payment)
    },
  )

  it('never follows a redirect of the facilitator', () => expect(facilitator.calls.elsewhere).toBe(0))

  it('each signature moved money once, into one sale of the same bytes', async () => {
    const transfers = await money.transfersTo()
    expect(transfers.map(({ value }) => value)).toEqual(Array.from({ length: bought }, () => price))
    expect((await readLedger(site.dataDir)).sales).toBe(bought)
    const transactions = [...stories.values()].map(({ again }) => (again.paid as { transaction: string }).transaction)
    expect(new Set(transactions).size).toBe(settleFaults.length)
    for (const hash of transactions) expect(transfers.map(({ transactionHash }) => transactionHash)).toContain(hash)
    expect(new Set([...stories.values()].map(({ again }) => again.text)).size).toBe(1)
  })
})
