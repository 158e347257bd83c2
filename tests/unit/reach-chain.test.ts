import { expect, it } from 'vitest'
import { reachChain } from '../../src/checkout/reach-chain.ts'
import { codeOf } from '../../src/checkout/wallet.ts'

const base = 8453
/** What wallets on telephones put around the error of their own depths. */
const wrapped = (code: number) => ({ code: -32603, message: 'Internal error', data: { originalError: { code } } })

it.each([
  ['as the standard says', { code: 4902 }],
  ['in another error, as on telephones', wrapped(4902)],
])('teaches a wallet the chain that it does not know, which it says %s', async (_, unknown) => {
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

it('teaches no wallet a chain in a sandbox, which it would take for Base ever after', async () => {
  const asked: string[] = []
  const request = async ({ method }: { method: string }) => {
    asked.push(method)
    if (method === 'wallet_switchEthereumChain') throw { code: 4902 }
    return '0x1'
  }
  expect(await reachChain({ request }, base, true)).toBe('wrong-chain')
  expect(asked).toEqual(['eth_chainId', 'wallet_switchEthereumChain'])
})

it('believes no wallet that it has changed its chain before it says so', async () => {
  const request = async ({ method }: { method: string }) => (method === 'eth_chainId' ? '0x1' : null)
  expect(await reachChain({ request }, base, false)).toBe('wrong-chain')
})

it('knows a no in whatever form it comes', () => {
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
])('takes a wallet that says %j for its latest block to a sandbox as: %s', async (block, expected) => {
  const wallet = { request: async ({ method }: { method: string }) => (method === 'eth_chainId' ? '0x2105' : block) }
  expect(await reachChain(wallet, base, true)).toBe(expected)
})
