import { createPublicClient, http, parseAbi } from 'viem'
import { sandboxAccounts, sandboxPayTo } from '../../src/config/sandbox-accounts.ts'
import { usdcAddress } from '../../src/core/chain-constants.ts'
import { startChain } from '../../src/sandbox/chain.ts'
import { type FacilitatorOptions, makeFacilitator } from '../../src/sandbox/facilitator.ts'
import { serveFacilitator } from '../../src/sandbox/serve-facilitator.ts'

const token = parseAbi([
  'event Transfer(address indexed from, address indexed to, uint256 value)',
  'function balanceOf(address owner) view returns (uint256)',
])

/** A real local chain and a real facilitator on it, on free ports. */
export async function startMoney(
  options: {
    blockTimeSeconds?: number
    stateFile?: string
    buyerBalance?: bigint
    settlement?: Partial<FacilitatorOptions>
  } = {},
) {
  const { settlement, ...chainOptions } = options
  const chain = await startChain({ port: 0, buyerBalance: 1_000_000_000n, ...chainOptions })
  const facilitator = await serveFacilitator(
    makeFacilitator({
      rpcUrl: chain.url,
      privateKey: sandboxAccounts.facilitator.privateKey,
      pollingIntervalMs: 25,
      ...settlement,
    }),
    { port: 0 },
  )
  const client = createPublicClient({ transport: http(chain.url) })
  return {
    rpcUrl: chain.url,
    rpc: chain.rpc,
    facilitatorUrl: facilitator.url,
    /** Every transfer that reached a wallet, as the chain tells it. */
    async transfersTo(payTo: string = sandboxPayTo) {
      const to = payTo as `0x${string}`
      const logs = await client.getContractEvents({
        address: usdcAddress,
        abi: token,
        eventName: 'Transfer',
        args: { to },
        fromBlock: 0n,
      })
      return logs.map(({ args, transactionHash }) => ({ from: args.from, value: args.value, transactionHash }))
    },
    /** What a wallet owns, in millionths, as the chain tells it. */
    balanceOf: (owner: `0x${string}`) =>
      client.readContract({ address: usdcAddress, abi: token, functionName: 'balanceOf', args: [owner] }),
    async stop() {
      await facilitator.close()
      await chain.stop()
    },
  }
}

export type RunningMoney = Awaited<ReturnType<typeof startMoney>>
