import { expect, it } from 'vitest'
import { reachChain } from '../../src/checkout/reach-chain.ts'
import { codeOf } from '../../src/checkout/wallet.ts'

const base = 8453
/** Mobile wallets wrap the error of their inner provider like this. */
const wrapped = (code: number) => ({ code: -32603, message: 'Internal error', data: { originalError: { code } } })

it.each([
  ['as the standard says', { code: 4902 }],
  ['in another error, as on telephones', wrapped(4902)],
])('adds the chain to a wallet that reports it as unknown %s', async (_, unknown) => {
  const asked: string[] = []
  let chain = 1
  const reached = await reachChain(
    {
      async request({ method }) {
        asked.push(method)
        if (method === 'wallet_switchEthereumChain') throw unknown
        if (method === 'wallet_addEthereumChain') chain = base
        return method === 'eth_chainId' ? `0x${chain.toString(16)}` : null
      },
    },
    base,
    false,
  )
  expect(reached).toBe('reached')
  expect(asked).toContain('wallet_addEthereumChain')
})

it('adds no sandbox chain to a wallet, which would use it as Base from then on', async () => {
  const asked: string[] = []
  const request = async ({ method }: { method: string }) => {
    asked.push(method)
    if (method === 'wallet_switchEthereumChain') throw { code: 4902 }
    return '0x1'
  }
  expect(await reachChain({ request }, base, true)).toBe('wrong-chain')
  expect(asked).toEqual(['eth_chainId', 'wallet_switchEthereumChain'])
})

it('does not trust a chain switch until the wallet reports the new chain', async () => {
  const request = async ({ method }: { method: string }) => (method === 'eth_chainId' ? '0x1' : null)
  expect(await reachChain({ request }, base, false)).toBe('wrong-chain')
})

it('recognizes a rejection by the user in every form', () => {
  expect([{ code: 4001 }, wrapped(4001), new Error('x'), undefined].map(codeOf)).toEqual([
    4001,
    4001,
    undefined,
    undefined,
  ])
})

it.each([
  ['0x0', 'reached'],
  ['0xf423f', 'reached'],
  ['0x1e84800', 'real-money'],
  [null, 'real-money'],
  [undefined, 'real-money'],
  ['', 'real-money'],
  [[], 'real-money'],
  ['unknown', 'real-money'],
])('treats a wallet with %j as latest block in a sandbox as: %s', async (block, expected) => {
  const wallet = { request: async ({ method }: { method: string }) => (method === 'eth_chainId' ? '0x2105' : block) }
  expect(await reachChain(wallet, base, true)).toBe(expected)
})
