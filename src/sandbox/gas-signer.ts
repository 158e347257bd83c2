import type { toFacilitatorEvmSigner } from '@x402/evm'
import { concat, createWalletClient, defineChain, encodeFunctionData, isHex, publicActions, type Transport } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { createNonceManager, jsonRpc } from 'viem/nonce'
import { chainId } from '../chain-constants.ts'

type Signer = ReturnType<typeof toFacilitatorEvmSigner>

interface GasSignerOptions {
  transport: Transport
  /** 0x and 64 hexadecimal digits. */
  privateKey: string
  /** How long a transaction is waited for; after that its outcome is open. */
  confirmationTimeoutMs: number
  pollingIntervalMs: number
}

/** viem's own definition of Base is not used, because importing it loads some 700 other chains (0.4 s). */
const base = defineChain({
  id: chainId,
  name: 'Base',
  nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
  rpcUrls: { default: { http: [] } },
})

/**
 * What the x402 facilitator sends transactions and reads the chain with. Differs from a plain viem client in three
 * points, each of which loses settlements otherwise: gas is estimated before a nonce is taken, the nonce memory is
 * its own, and reading code never rejects.
 */
export function makeGasSigner({ transport, privateKey, ...waiting }: GasSignerOptions): Signer {
  if (!isHex(privateKey) || privateKey.length !== 66) throw new Error('A gas key must be 0x and 64 hexadecimal digits')
  // viem's global nonce memory outlives a chain: on the next one in this process it would start with a gap.
  const account = privateKeyToAccount(privateKey, { nonceManager: createNonceManager({ source: jsonRpc() }) })
  const client = createWalletClient({
    account,
    chain: base,
    transport,
    pollingInterval: waiting.pollingIntervalMs,
    cacheTime: 0,
  }).extend(publicActions)

  const sendTransaction: Signer['sendTransaction'] = async ({ to, data }) => {
    // A transfer that must revert fails here, before it takes a nonce; the later ones would wait behind the gap.
    const gas = await client.estimateGas({ account, to, data })
    return client.sendTransaction({ to, data, gas: (gas * 12n) / 10n })
  }

  return {
    getAddresses: () => [account.address],
    readContract: ({ address, abi, functionName, args }) =>
      client.readContract({ address, abi, functionName, args: args ?? [] }),
    writeContract: ({ address, abi, functionName, args, dataSuffix = '0x' }) =>
      sendTransaction({ to: address, data: concat([encodeFunctionData({ abi, functionName, args }), dataSuffix]) }),
    sendTransaction,
    waitForTransactionReceipt: ({ hash }) =>
      client.waitForTransactionReceipt({ hash, timeout: waiting.confirmationTimeoutMs }),
    // The library leaves this promise unawaited when it refuses early; a rejection would end the process.
    getCode: ({ address }) => client.getCode({ address }).catch(() => undefined),
    verifyTypedData: () => Promise.reject(new Error('The exact scheme checks signatures itself')),
  }
}
