import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { encodeAbiParameters, type Hex, keccak256, numberToHex } from 'viem'
import { z } from 'zod'
import { sandboxAccounts } from '../config/sandbox-accounts.ts'
import { eurc } from '../core/assets.ts'
import { multicall3Address, usdcAddress } from '../core/chain-constants.ts'
import artifacts from './contracts/artifacts.json' with { type: 'json' }
import type { Rpc } from './json-rpc.ts'
import { type Chain, LaunchError, type LaunchOptions, launchAnvil } from './launch-anvil.ts'
import { becomesFree, findFreePort, toPortError } from './port.ts'

export type { Chain }

interface ChainOptions extends LaunchOptions {
  /** 0 picks a free one. */
  port: number
  /** USDC of the buyer on a new chain, in millionths. */
  buyerBalance?: bigint | undefined
}

const orphanWaitMs = 2_000
const portAttempts = 5
/** How old the newest block may grow: a wallet that signs `validAfter` a minute back must find that in the past. */
const idleBlockSeconds = 30
const clockCheckMs = 5_000

const Block = z.object({ timestamp: z.string() })

/**
 * Starts Base in miniature: chain id 8453, a USDC stand-in at the canonical address, a buyer with 1,000 USDC.
 * As on the real network, the newest block is never far behind the wall clock, however long the chain has slept.
 *
 * @throws Error of one sentence that names what to change: CHAIN_PORT, the state file, a missing package
 * @example const chain = await startChain({ port: 4324, stateFile: '.data/chain.json' })
 */
export async function startChain(options: ChainOptions): Promise<Chain> {
  if (options.stateFile) await mkdir(dirname(options.stateFile), { recursive: true, mode: 0o700 })
  const chain = await launch(options)
  try {
    await placeContracts(chain.rpc, options.buyerBalance ?? 1_000_000_000n)
    await chain.rpc('evm_mine', [])
  } catch (error) {
    await chain.stop()
    throw error
  }
  if (!options.blockTimeSeconds) keepClock(chain, options.log)
  return chain
}

async function launch(options: ChainOptions): Promise<Chain> {
  if (options.port !== 0 && !(await becomesFree(options.port, orphanWaitMs))) throw toChainPortError(options.port)
  for (let attempt = 1; ; attempt += 1) {
    const port = options.port || (await findFreePort())
    try {
      return await launchAnvil({ ...options, port })
    } catch (error) {
      const mayRetry = options.port === 0 && attempt < portAttempts
      if (!(error instanceof LaunchError && error.is === 'taken' && mayRetry))
        throw explain(error, { ...options, port })
    }
  }
}

const toChainPortError = (port: number) => toPortError(port, { owner: 'local chain', variable: 'CHAIN_PORT' })

function explain(error: unknown, { port, stateFile }: LaunchOptions): unknown {
  if (!(error instanceof LaunchError)) return error
  switch (error.is) {
    case 'taken':
      return toChainPortError(port)
    case 'corrupt':
      return new Error(`The saved chain ${stateFile} cannot be read; delete that file to begin a new one`, {
        cause: error,
      })
    case 'failed':
      return new Error(`The local chain did not start on CHAIN_PORT ${port}: ${error.message}`, { cause: error })
  }
}

/** Mines an empty block when no payment came for a while: contracts know no other clock than the newest block's. */
function keepClock({ rpc, exited }: Chain, log: ChainOptions['log']): void {
  const tick = async () => {
    const { timestamp } = Block.parse(await rpc('eth_getBlockByNumber', ['latest', false]))
    if (Date.now() / 1000 - Number(timestamp) >= idleBlockSeconds) await rpc('evm_mine', [])
  }
  const timer = setInterval(() => {
    tick().catch((error: unknown) => log?.(`chain: its clock stands still: ${String(error)}`))
  }, clockCheckMs)
  timer.unref()
  void exited.then(() => clearInterval(timer))
}

const totalSupplySlot = numberToHex(3, { size: 32 })
const gasWei = numberToHex(10_000n * 10n ** 18n)

const toWord = (value: bigint): Hex => numberToHex(value, { size: 32 })

/** Where the stand-in keeps an owner's balance: its mapping is storage slot 0. */
const toBalanceSlot = (owner: Hex): Hex =>
  keccak256(encodeAbiParameters([{ type: 'address' }, { type: 'uint256' }], [owner, 0n]))

/**
 * Puts USDC, EURC and Multicall3 on a chain that has none, funds the buyer and gives every sandbox account gas.
 * A chain saved earlier keeps its balances and gets newer code only. The token's code goes last: where it is,
 * all the rest is, even when an earlier start was cut short.
 */
async function placeContracts(rpc: Rpc, buyerBalance: bigint): Promise<void> {
  const code = await rpc('eth_getCode', [usdcAddress, 'latest'])
  if (code === artifacts.SandboxUsdc.runtime) return
  const fund = (token: string) => [
    rpc('anvil_setStorageAt', [token, toBalanceSlot(sandboxAccounts.buyer.address), toWord(buyerBalance)]),
    rpc('anvil_setStorageAt', [token, totalSupplySlot, toWord(buyerBalance)]),
  ]
  const others = await rpc('eth_getCode', [eurc.address, 'latest'])
  if (others === '0x') await Promise.all(fund(eurc.address))
  await rpc('anvil_setCode', [eurc.address, artifacts.SandboxEurc.runtime])
  if (code === '0x') {
    await Promise.all([
      ...fund(usdcAddress),
      ...Object.values(sandboxAccounts).map(({ address }) => rpc('anvil_setBalance', [address, gasWei])),
    ])
  }
  await rpc('anvil_setCode', [multicall3Address, artifacts.MiniMulticall3.runtime])
  await rpc('anvil_setCode', [usdcAddress, artifacts.SandboxUsdc.runtime])
}
