import { createPublicClient, http, parseAbi } from 'viem'
import { sandboxAccounts, sandboxPayTo } from '../../src/config/sandbox-accounts.ts'
import { testUsdc } from '../../src/core/assets.ts'
import { usdcAddress } from '../../src/core/chain-constants.ts'
import { base, type Network } from '../../src/core/networks.ts'
import { startChain } from '../../src/sandbox/chain.ts'
import { type FacilitatorOptions, makeFacilitator } from '../../src/sandbox/facilitator.ts'
import { serveFacilitator } from '../../src/sandbox/serve-facilitator.ts'
import { findUnusedPort } from './free-ports.ts'

const token = parseAbi([
  'event Transfer(address indexed from, address indexed to, uint256 value)',
  'function balanceOf(address owner) view returns (uint256)',
])

/** A real local chain, by default Base, and a real facilitator for it, on unused ports. */
export async function startMoney(
  options: {
    blockTimeSeconds?: number
    stateFile?: string
    buyerBalance?: bigint
    settlement?: Partial<FacilitatorOptions>
    network?: Network
  } = {},
) {
  const { settlement, ...chainOptions } = options
  const { network = base } = options
  const asset = network.isTest ? testUsdc.address : usdcAddress
  const address = asset as `0x${string}`
  const chain = await startChain({ port: await findUnusedPort(), buyerBalance: 1_000_000_000n, ...chainOptions })
  const facilitator = await serveFacilitator(
    makeFacilitator({
      rpcUrl: chain.url,
      network,
      asset,
      privateKey: sandboxAccounts.facilitator.privateKey,
      pollingIntervalMs: 25,
      ...settlement,
    }),
    { port: await findUnusedPort(), network: network.id },
  )
  const client = createPublicClient({ transport: http(chain.url) })
  return {
    rpcUrl: chain.url,
    rpc: chain.rpc,
    facilitatorUrl: facilitator.url,
    /** Every transfer to a wallet, read from the chain. */
    async transfersTo(payTo: string = sandboxPayTo) {
      const to = payTo as `0x${string}`
      const logs = await client.getContractEvents({
        address,
        abi: token,
        eventName: 'Transfer',
        args: { to },
        fromBlock: 0n,
      })
      return logs.map(({ args, transactionHash }) => ({ from: args.from, value: args.value, transactionHash }))
    },
    /** The balance of a wallet in millionths, read from the chain. */
    balanceOf: (owner: `0x${string}`) =>
      client.readContract({ address, abi: token, functionName: 'balanceOf', args: [owner] }),
    async stop() {
      await facilitator.close()
      await chain.stop()
    },
  }
}

export type RunningMoney = Awaited<ReturnType<typeof startMoney>>
