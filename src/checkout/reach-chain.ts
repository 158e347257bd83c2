import { readText } from '../browser/read-value.ts'
import { codeOf, type Wallet } from './wallet.ts'

/** The block number of a young chain, such as that of a sandbox; Base passed a million within weeks. */
const youngBlock = /^0x.{1,5}$/

/** The description of Base for wallets that do not know it (EIP-3085). */
const base = {
  chainId: '0x2105',
  chainName: 'Base',
  nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
  rpcUrls: ['https://mainnet.base.org'],
}

/**
 * Switches a wallet to the chain of the payment, for which its owner may be asked twice. In a sandbox no chain is
 * added, because the sandbox has Base's chain id: the wallet would confuse the two from then on.
 *
 * @throws whatever the wallet throws, except for an unknown chain
 */
export async function reachChain(
  wallet: Wallet,
  chainId: number,
  isSandbox: boolean,
): Promise<'reached' | 'wrong-chain' | 'real-money'> {
  if (!(await switchTo(wallet, chainId, isSandbox))) return 'wrong-chain'
  const isYoung = isSandbox && youngBlock.test(readText(await wallet.request({ method: 'eth_blockNumber' })))
  return isSandbox && !isYoung ? 'real-money' : 'reached'
}

async function switchTo(wallet: Wallet, chainId: number, isSandbox: boolean): Promise<boolean> {
  const hex = `0x${chainId.toString(16)}`
  const current = async () => Number(await wallet.request({ method: 'eth_chainId' }))
  const change = () => wallet.request({ method: 'wallet_switchEthereumChain', params: [{ chainId: hex }] })
  if ((await current()) === chainId) return true
  try {
    await change()
  } catch (error) {
    if (codeOf(error) !== 4902 || isSandbox || hex !== base.chainId) return false
    await wallet.request({ method: 'wallet_addEthereumChain', params: [base] })
    // Most wallets switch to a chain that was just added; the others are asked to.
    if ((await current()) !== chainId) await change()
  }
  return (await current()) === chainId
}
