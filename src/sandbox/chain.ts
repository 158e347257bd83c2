import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { encodeAbiParameters, type Hex, keccak256, numberToHex } from 'viem'
import { z } from 'zod'
import { sandboxAccounts } from '../config/sandbox-accounts.ts'
import { eurc, testUsdc } from '../core/assets.ts'
import { multicall3Address, usdcAddress } from '../core/chain-constants.ts'
import { base, baseSepolia, type Network } from '../core/networks.ts'
import artifacts from './contracts/artifacts.json' with { type: 'json' }
import type { Rpc } from './json-rpc.ts'
import { type Chain, LaunchError, type LaunchOptions, launchAnvil } from './launch-anvil.ts'
import { becomesFree, findFreePort, toPortError } from './port.ts'

export type { Chain }

interface ChainOptions extends Omit<LaunchOptions, 'chainId'> {
  /** The port; 0 picks a free one. */
  port: number
  /** The network that it simulates; Base when absent. */
  network?: Network
  /** The setting to name in the error when the port is taken. */
  portSetting?: string
  /** The buyer's USDC on a new chain, in micro-USD. */
  buyerBalance?: bigint | undefined
}

const orphanWaitMs = 2_000
const portAttempts = 5
/**
 * The largest age of the newest block in seconds: a wallet that signs `validAfter` one minute in the past must find
 * that it has passed on the chain, too.
 */
const idleBlockSeconds = 30
const clockCheckMs = 5_000

const Block = z.object({ timestamp: z.string() })

/**
 * Starts a local chain that simulates Base or another network: with its chain id, a simulated USDC at the real address,
 * and a buyer with 1,000 USDC. As on the real network, the time of the newest block is always close to the wall clock,
 * however long the chain was stopped.
 *
 * @throws Error of one sentence that names what to change: CHAIN_PORT, the state file, a missing package
 * @example const chain = await startChain({ port: 4324, stateFile: '.data/chain.json' })
 */
export async function startChain(options: ChainOptions): Promise<Chain> {
  if (options.stateFile) await mkdir(dirname(options.stateFile), { recursive: true, mode: 0o700 })
  const chain = await launch(options)
  try {
    await placeContracts(chain.rpc, options.network ?? base, options.buyerBalance ?? 1_000_000_000n)
    await chain.rpc('evm_mine', [])
  } catch (error) {
    await chain.stop()
    throw error
  }
  if (!options.blockTimeSeconds) keepClock(chain, options.log)
  return chain
}

async function launch(options: ChainOptions): Promise<Chain> {
  if (options.port !== 0 && !(await becomesFree(options.port, orphanWaitMs))) throw toChainPortError(options)
  for (let attempt = 1; ; attempt += 1) {
    const port = options.port || (await findFreePort())
    try {
      return await launchAnvil({ ...options, chainId: options.network?.chainId, port })
    } catch (error) {
      const mayRetry = options.port === 0 && attempt < portAttempts
      if (!(error instanceof LaunchError && error.is === 'taken' && mayRetry))
        throw explain(error, { ...options, port })
    }
  }
}

const toChainPortError = ({ port, portSetting = 'CHAIN_PORT' }: ChainOptions) =>
  toPortError(port, { owner: 'local chain', variable: portSetting })

function explain(error: unknown, options: ChainOptions): unknown {
  const { port, portSetting = 'CHAIN_PORT', stateFile } = options
  if (!(error instanceof LaunchError)) return error
  switch (error.is) {
    case 'taken':
      return toChainPortError(options)
    case 'corrupt':
      return new Error(`The saved chain ${stateFile} cannot be read; delete that file to begin a new one`, {
        cause: error,
      })
    case 'failed':
      return new Error(`The local chain did not start on ${portSetting} ${port}: ${error.message}`, { cause: error })
  }
}

/**
 * Mines an empty block when there was no payment for a while, because contracts only know the time of the newest block.
 */
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

/** The storage slot of an owner's balance in the simulated token: its mapping is at slot 0. */
const toBalanceSlot = (owner: Hex): Hex =>
  keccak256(encodeAbiParameters([{ type: 'address' }, { type: 'uint256' }], [owner, 0n]))

interface StandIn {
  readonly address: string
  readonly runtime: string
}

/** The simulated tokens of each network, USDC first. */
const toStandIns = ({ id }: Network): [StandIn, ...StandIn[]] =>
  id === baseSepolia.id
    ? [{ address: testUsdc.address, runtime: artifacts.SandboxTestUsdc.runtime }]
    : [
        { address: usdcAddress, runtime: artifacts.SandboxUsdc.runtime },
        { address: eurc.address, runtime: artifacts.SandboxEurc.runtime },
      ]

/**
 * Deploys the simulated tokens and Multicall3 on a chain that has none, funds the buyer and gives every sandbox account
 * gas. A saved chain keeps its balances and only gets newer code. The code of USDC is deployed last: if it is there,
 * everything else is, even if an earlier start was interrupted.
 */
async function placeContracts(rpc: Rpc, network: Network, buyerBalance: bigint): Promise<void> {
  const [usdc, ...others] = toStandIns(network)
  const code = await rpc('eth_getCode', [usdc.address, 'latest'])
  if (code === usdc.runtime) return
  const fund = (token: string) => [
    rpc('anvil_setStorageAt', [token, toBalanceSlot(sandboxAccounts.buyer.address), toWord(buyerBalance)]),
    rpc('anvil_setStorageAt', [token, totalSupplySlot, toWord(buyerBalance)]),
  ]
  for (const { address, runtime } of others) {
    if ((await rpc('eth_getCode', [address, 'latest'])) === '0x') await Promise.all(fund(address))
    await rpc('anvil_setCode', [address, runtime])
  }
  if (code === '0x') {
    await Promise.all([
      ...fund(usdc.address),
      ...Object.values(sandboxAccounts).map(({ address }) => rpc('anvil_setBalance', [address, gasWei])),
    ])
  }
  await rpc('anvil_setCode', [multicall3Address, artifacts.MiniMulticall3.runtime])
  await rpc('anvil_setCode', [usdc.address, usdc.runtime])
}
