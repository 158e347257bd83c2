import { createPublicClient, defineChain, type Hex, isHex, type Transport } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { base, type Network } from '../core/networks.ts'

/** The definitions of viem are not imported, because that loads about 700 other chains (0.4 s). */
const toChain = ({ chainId: id, name }: Network) =>
  defineChain({
    id,
    name,
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [] } },
  })

/** The gas of a USDC transfer from a plain account, rounded up. */
const usualGas = 100_000n
/** How long the state is cached: the block time of Base. */
const keptMs = 2_000

/** Fees in wei per unit of gas. */
export interface Fees {
  readonly maxFeePerGas: bigint
  readonly maxPriorityFeePerGas: bigint
}

/** The current price of gas, and how much of it the wallet can pay for. All in wei. */
export interface GasStanding {
  readonly fees: Fees
  /** The price of a unit of gas in the next block. */
  readonly price: bigint
  readonly balance: bigint
  /** How many usual settlements the balance pays for at this price. */
  readonly settlementsLeft: number
}

interface Options {
  readonly transport: Transport
  readonly privateKey: string
  /** The network; Base when absent. */
  readonly network?: Network
}

/**
 * The wallet that pays for settlements on one network.
 *
 * @throws Error when the key has another form
 */
export function openGasWallet({ transport, privateKey, network = base }: Options) {
  if (!isHex(privateKey) || privateKey.length !== 66) throw new Error('A gas key must be 0x and 64 hexadecimal digits')
  const account = privateKeyToAccount(privateKey)
  // The client calls contracts of strangers; off-chain lookups that they ask for (ERC-3668) are not made.
  const client = createPublicClient({ chain: toChain(network), transport, cacheTime: 0, ccipRead: false })
  let kept: { until: number; standing: Promise<GasStanding> } | undefined

  const look = async (): Promise<GasStanding> => {
    const [{ baseFeePerGas }, tip, balance] = await Promise.all([
      client.getBlock(),
      client.estimateMaxPriorityFeePerGas(),
      client.getBalance({ address: account.address }),
    ])
    const baseFee = baseFeePerGas ?? 0n
    const price = baseFee + tip
    return {
      fees: { maxFeePerGas: 2n * baseFee + tip, maxPriorityFeePerGas: tip },
      price,
      balance,
      settlementsLeft: Number(balance / (usualGas * (price || 1n))),
    }
  }

  return {
    account,
    client,
    /** The state of the wallet, at most one block old. Rejects when the chain does not respond. */
    standing(): Promise<GasStanding> {
      // A monotonic clock: if the system clock were set back, an old gas price would be used, which pays for no block.
      const now = performance.now()
      if (kept && kept.until > now) return kept.standing
      const standing = look()
      kept = { until: now + keptMs, standing }
      // A failure is not cached; all current callers get it.
      standing.catch(() => {
        if (kept?.standing === standing) kept = undefined
      })
      return standing
    },
    sign: (transaction: { to: Hex; data: Hex; gas: bigint; nonce: number } & Fees): Promise<Hex> =>
      account.signTransaction({ ...transaction, type: 'eip1559', chainId: network.chainId, value: 0n }),
  }
}

export type GasWallet = ReturnType<typeof openGasWallet>
export type GasClient = GasWallet['client']
