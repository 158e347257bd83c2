import { setTimeout as delay } from 'node:timers/promises'
import { custom, encodeErrorResult, parseAbi } from 'viem'
import { afterEach, expect, it, vi } from 'vitest'
import { sandboxAccounts } from '../../src/config/sandbox-accounts.ts'
import { openGasWallet } from '../../src/sandbox/gas-wallet.ts'

afterEach(() => vi.useRealTimers())

/** A node that counts the requests for the balance. */
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

it('knows its balance as of two seconds ago at most, even when the clock was set back', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 10, 22, 9) })
  const { asked, wallet } = openWallet()
  expect((await wallet.standing()).balance).toBe(1n)
  expect((await wallet.standing()).balance).toBe(1n)
  vi.setSystemTime(Date.UTC(2026, 10, 22, 8))
  await delay(2100)
  expect((await wallet.standing()).balance).toBe(2n)
  expect(asked.balances).toBe(2)
})

it('does not follow an OffchainLookup of a contract (EIP-3668)', async () => {
  const fetched = vi.spyOn(globalThis, 'fetch')
  const wallet = `0x${'ab'.repeat(20)}` as const
  const data = encodeErrorResult({
    abi: parseAbi(['error OffchainLookup(address sender, string[] urls, bytes data, bytes4 callback, bytes extra)']),
    args: [wallet, ['https://inside.test/{data}'], '0x', '0x1626ba7e', '0x'],
  })
  const request = () => Promise.reject(Object.assign(new Error('execution reverted'), { code: 3, data }))
  const { client } = openGasWallet({
    transport: custom({ request }),
    privateKey: sandboxAccounts.facilitator.privateKey,
  })
  await expect(client.call({ to: wallet, data: '0x1626ba7e' })).rejects.toThrow()
  // Other tests in this process may have requests under way.
  expect(fetched.mock.calls.map(([url]) => String(url)).filter((url) => url.includes('inside.test'))).toEqual([])
  fetched.mockRestore()
})
