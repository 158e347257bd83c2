import { encodeAbiParameters, type Hex, keccak256, numberToHex } from 'viem'
import { sandboxAccounts } from '../config/sandbox-accounts.ts'
import { multicall3Address, usdcAddress } from '../core/chain-constants.ts'
import artifacts from './contracts/artifacts.json' with { type: 'json' }
import type { Rpc } from './json-rpc.ts'

const totalSupplySlot = numberToHex(3, { size: 32 })
const gasWei = numberToHex(10_000n * 10n ** 18n)

const toWord = (value: bigint): Hex => numberToHex(value, { size: 32 })

/** Where the stand-in keeps an owner's balance: its mapping is storage slot 0. */
const toBalanceSlot = (owner: Hex): Hex =>
  keccak256(encodeAbiParameters([{ type: 'address' }, { type: 'uint256' }], [owner, 0n]))

/**
 * Puts USDC and Multicall3 on a chain that has none, funds the buyer and gives every sandbox account gas.
 * A chain saved earlier keeps its balances and gets newer code only. The token's code goes last: where it is,
 * all the rest is, even when an earlier start was cut short.
 */
export async function placeContracts(rpc: Rpc, buyerBalance: bigint): Promise<void> {
  const code = await rpc('eth_getCode', [usdcAddress, 'latest'])
  if (code === artifacts.SandboxUsdc.runtime) return
  if (code === '0x') {
    await Promise.all([
      rpc('anvil_setStorageAt', [usdcAddress, toBalanceSlot(sandboxAccounts.buyer.address), toWord(buyerBalance)]),
      rpc('anvil_setStorageAt', [usdcAddress, totalSupplySlot, toWord(buyerBalance)]),
      ...Object.values(sandboxAccounts).map(({ address }) => rpc('anvil_setBalance', [address, gasWei])),
    ])
  }
  await rpc('anvil_setCode', [multicall3Address, artifacts.MiniMulticall3.runtime])
  await rpc('anvil_setCode', [usdcAddress, artifacts.SandboxUsdc.runtime])
}
