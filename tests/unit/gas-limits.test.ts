import { expect, it } from 'vitest'
import { readConfig } from '../../src/config/config.ts'
import { isTooDear } from '../../src/core/gas-limits.ts'

it('allows gas costs up to the configured share of the payment, to the last wei', () => {
  // 80,000 units at 0.1 gwei are 0.000008 ether, 4 cents when an ether costs 5,000 dollars.
  const cost = { gas: 80_000n, price: 100_000_000n, amount: 80_000n }
  const limits = { maxGas: 300_000, maxShare: { percent: 50, etherUsd: 5000 } }
  expect(isTooDear(cost, limits)).toBe(false)
  expect(isTooDear({ ...cost, price: cost.price + 1n }, limits)).toBe(true)
  expect(isTooDear({ ...cost, gas: cost.gas + 1n }, limits)).toBe(true)
  expect(isTooDear({ ...cost, amount: cost.amount - 1n }, limits)).toBe(true)
  expect(isTooDear({ ...cost, gas: 10n ** 12n }, { maxGas: 300_000 })).toBe(false)
})

it('limits the share by default in live mode, where gas costs money, and in the sandbox only when configured', () => {
  const live = {
    FARTHING_MODE: 'live',
    BASE_URL: 'https://shop.example',
    GAME_URL: 'https://game.example',
    PAY_TO_ADDRESS: `0x${'12'.repeat(20)}`,
    FACILITATOR_URL: 'self',
    FACILITATOR_PRIVATE_KEY: `0x${'7'.repeat(64)}`,
    RPC_URL: 'https://rpc.example',
  }
  expect(readConfig(live).gasLimits).toEqual({ maxGas: 300_000, maxShare: { percent: 50, etherUsd: 5000 } })
  expect(readConfig({}).gasLimits).toEqual({ maxGas: 300_000 })
  expect(readConfig({ SETTLEMENT_MAX_GAS_SHARE: '5' }).gasLimits).toMatchObject({ maxShare: { percent: 5 } })
  for (const wrong of [{ SETTLEMENT_MAX_GAS: '20000' }, { SETTLEMENT_MAX_GAS: '1e99' }, { SETTLEMENT_ETH_USD: '0' }])
    expect(() => readConfig(wrong)).toThrow('must be a whole number from')
})
