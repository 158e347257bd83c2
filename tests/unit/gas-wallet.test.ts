import { setTimeout as delay } from 'node:timers/promises'
import { custom } from 'viem'
import { afterEach, expect, it, vi } from 'vitest'
import { sandboxAccounts } from '../../src/config/sandbox-accounts.ts'
import { makeGasAlarm } from '../../src/sandbox/gas-alarm.ts'
import { openGasWallet } from '../../src/sandbox/gas-wallet.ts'

afterEach(() => vi.useRealTimers())

/** A node that says how often it was asked for the balance. */
function openWallet() {
  const asked = { balances: 0 }
  const answers: Readonly<Record<string, () => unknown>> = {
    eth_getBlockByNumber: () => ({ baseFeePerGas: '0x1', number: '0x1', timestamp: '0x1', transactions: [] }),
    eth_maxPriorityFeePerGas: () => '0x1',
    eth_getBalance: () => `0x${(++asked.balances).toString(16)}`,
  }
  const transport = custom({ request: async ({ method }: { method: string }) => answers[method]?.() })
  const wallet = openGasWallet({ transport, privateKey: sandboxAccounts.facilitator.privateKey })
  return { asked, wallet }
}

it('knows what gas costs as of two seconds ago at most, also where the clock was set back', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 10, 22, 9) })
  const { asked, wallet } = openWallet()
  expect((await wallet.standing()).balance).toBe(1n)
  expect((await wallet.standing()).balance).toBe(1n)
  vi.setSystemTime(Date.UTC(2026, 10, 22, 8))
  await delay(2100)
  expect((await wallet.standing()).balance).toBe(2n)
  expect(asked.balances).toBe(2)
})

it('rings once an hour that the gas wallet is low, also where the clock was set back', () => {
  const rung: string[] = []
  const clock = { ms: Date.UTC(2026, 10, 22, 9) }
  const alarm = makeGasAlarm({ address: '0x1', log: (event) => void rung.push(event), now: () => clock.ms })
  const low = { fees: { maxFeePerGas: 1n, maxPriorityFeePerGas: 1n }, price: 1n, balance: 1n, settlementsLeft: 3 }
  const look = (): number => {
    alarm.gas(low)
    return rung.length
  }
  expect(look()).toBe(1)
  clock.ms += 59 * 60_000
  expect(look()).toBe(1)
  clock.ms += 60_000
  expect(look()).toBe(2)
  clock.ms -= 24 * 60 * 60_000
  expect(look()).toBe(3)
})
