import { readText } from '../browser/read-value.ts'
import { testWalletPath } from '../core/test-wallet-path.ts'
import type { Wallet } from './wallet.ts'

/**
 * The wallet of a sandbox: the key that everybody knows, by which the sandbox itself signs. It is on the chain that is
 * paid on, and that chain is young.
 *
 * @param address whose money it is
 */
export const toTestWallet = (address: string): Wallet => ({
  async request({ method, params = [] }) {
    switch (method) {
      case 'eth_requestAccounts':
        return [address]
      case 'eth_chainId':
        return '0x2105'
      case 'eth_blockNumber':
        return '0x0'
      case 'eth_signTypedData_v4':
        return sign(readText(params[1]))
      default:
        throw new Error(`the test wallet knows no ${method}`)
    }
  },
})

async function sign(body: string): Promise<unknown> {
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(testWalletPath, { method: 'POST', headers, body })
  if (!response.ok) throw new Error(`the sandbox answered ${response.status}`)
  return response.text()
}
