import { readText } from '../browser/read-value.ts'
import { testWalletPath } from '../core/test-wallet-path.ts'
import type { Wallet } from './wallet.ts'

/**
 * The test wallet of a sandbox, whose private key is public: the sandbox itself signs with it. It reports Base's chain
 * id and a young chain.
 *
 * @param address the address of the wallet
 */
export function toTestWallet(address: string): Wallet {
  const known: Readonly<Record<string, unknown>> = {
    eth_requestAccounts: [address],
    eth_chainId: '0x2105',
    eth_blockNumber: '0x0',
  }
  return { request: async ({ method, params }) => known[method] ?? sign(readText(params?.[1])) }
}

async function sign(body: string): Promise<unknown> {
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(testWalletPath, { method: 'POST', headers, body })
  if (!response.ok) throw new Error(`the sandbox answered ${response.status}`)
  return response.text()
}
