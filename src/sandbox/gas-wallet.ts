import { createPublicClient, defineChain, type Hex, isHex, type Transport } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { base, type Network } from '../core/networks.ts'

/** viem's own definitions are not used, because importing them loads some 700 other chains (0.4 s). */
const toChain = ({ chainId: id, name }: Network) =>
  defineChain({
    id,
    name,
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [] } },
  })

/** What a transfer of USDC from a plain account takes, rounded up. */
const usualGas = 100_000n
/** One block of Base. */
const keptMs = 2_000

/** Wei per unit of gas. */
export interface Fees {
  readonly maxFeePerGas: bigint
  readonly maxPriorityFeePerGas: bigint
}

/** What gas costs now, and how much of it the wallet can pay for. All in wei. */
export interface GasStanding {
  readonly fees: Fees
  /** What a unit of gas would cost in the next block. */
  readonly price: bigint
  readonly balance: bigint
  /** Usual settlements that the balance pays for at this price. */
  readonly settlementsLeft: number
}

interface Options {
  readonly transport: Transport
  readonly privateKey: string
  /** Base when absent. */
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
  // Contracts of strangers are asked, and what they name to be fetched (ERC-3668) is not.
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
    /** At most one block old. Rejects when the chain does not answer. */
    standing(): Promise<GasStanding> {
      // Not by a clock that can be set back: what gas cost an hour ago pays for no block now.
      const now = performance.now()
      if (kept && kept.until > now) return kept.standing
      const standing = look()
      kept = { until: now + keptMs, standing }
      // What failed is asked again at once; whoever asked hears of the failure.
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
