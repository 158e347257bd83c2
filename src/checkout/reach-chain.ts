import { readText } from '../browser/read-value.ts'
import { codeOf, type Wallet } from './wallet.ts'

/** A block of a chain that was made for a sandbox, which is young; Base passed a million within weeks of its birth. */
const youngBlock = /^0x.{1,5}$/

/** What a wallet that does not know Base is told about it (EIP-3085). */
const base = {
  chainId: '0x2105',
  chainName: 'Base',
  nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
  rpcUrls: ['https://mainnet.base.org'],
}

/**
 * Brings a wallet to the chain that is paid on, which may take two questions to its owner. In a sandbox no chain is
 * added, because its chain has Base's number: a wallet would take one for the other ever after.
 *
 * @throws whatever the wallet throws, but for not knowing the chain
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
    // Most wallets change to a chain that they have just learned; the others are asked.
    if ((await current()) !== chainId) await change()
  }
  return (await current()) === chainId
}
