import { expect, it, vi } from 'vitest'
import { network, usdcAddress } from '../../src/core/chain-constants.ts'
import { usd } from '../../src/core/money.ts'
import type { Facilitator, SettleAnswer } from '../../src/payments/facilitator/facilitator-client.ts'
import { watchSettlements } from '../../src/payments/facilitator/settlement-health.ts'
import { readPayment } from '../../src/payments/wire/read-payment.ts'
import { toRequirements } from '../../src/payments/wire/requirements.ts'
import { signForWallet } from '../support/hostile-wallets.ts'
import { testPayTo } from '../support/signed-payments.ts'

const pending: SettleAnswer = { is: 'refused', reason: 'settlement_pending' }

/** @param isOwnClock whether the default clock is used */
function look(answer: SettleAnswer, { isOwnClock = false } = {}) {
  const clock = { ms: 0 }
  const lines: unknown[] = []
  const facilitator: Facilitator = {
    verify: async () => ({ is: 'valid' }),
    settle: async () => answer,
    restLeftMs: () => 0,
  }
  const watched = watchSettlements(facilitator, {
    ...(!isOwnClock && { now: () => clock.ms }),
    log: (name, fields) => lines.push([name, fields]),
  })
  const settle = async (payer: number) => {
    const wallet = `0x${String(payer).repeat(40)}` as const
    const payment = readPayment((await signForWallet(wallet, { amount: 1n })).header)
    if (!payment) throw new Error('the payment cannot be read')
    await watched.facilitator.settle(
      payment,
      toRequirements({ network, payTo: testPayTo, asset: usdcAddress }, usd('0.10'), 300),
    )
    clock.ms += 10_000
  }
  return { clock, lines, settle, sold: watched.sold, isSettling: watched.isSettling }
}

it.each([
  ['is pending', pending],
  ['has no answer', { is: 'unknown', cause: 'x' }],
  ['is claimed and never seen', { is: 'claimed', transaction: '0x' }],
] as const)('notices when what several payers settle %s, and that it goes again', async (_, answer) => {
  const { clock, lines, settle, sold, isSettling } = look(answer)
  await settle(1)
  await settle(2)
  expect(isSettling()).toBe(true)
  await settle(3)
  expect(isSettling()).toBe(false)
  await settle(3)
  expect(lines).toEqual([['sale.stalled', { isStalled: true }]])
  sold()
  expect(isSettling()).toBe(true)
  expect(lines[1]).toEqual(['sale.stalled', { isStalled: false }])
  for (const payer of [1, 2, 3]) await settle(payer)
  expect(isSettling()).toBe(false)
  clock.ms += 10 * 60 * 1000
  expect(isSettling()).toBe(true)
})

it('ignores many attempts of one payer and refusals of single payments', async () => {
  const one = look(pending)
  for (let time = 0; time < 20; time++) await one.settle(1)
  expect(one.isSettling()).toBe(true)
  const refused = look({ is: 'refused', reason: 'invalid_exact_evm_transaction_failed' })
  for (const payer of [1, 2, 3, 4, 5]) await refused.settle(payer)
  expect(refused.isSettling()).toBe(true)
})

it('detects failing settlement even if the clock is set back or ahead by an hour meanwhile', async () => {
  vi.useFakeTimers({ toFake: ['Date', 'performance'] })
  try {
    for (const setMs of [-3_600_000, 3_600_000]) {
      const { settle, isSettling } = look(pending, { isOwnClock: true })
      for (const payer of [1, 2, 3]) await settle(payer)
      vi.setSystemTime(Date.now() + setMs)
      vi.advanceTimersByTime(21_000)
      expect(isSettling()).toBe(false)
    }
  } finally {
    vi.useRealTimers()
  }
})
