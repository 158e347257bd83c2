import { randomBytes } from 'node:crypto'
import {
  type Address,
  concat,
  createPublicClient,
  decodeFunctionResult,
  encodeFunctionData,
  getAddress,
  type Hex,
  http,
  keccak256,
  parseAbi,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { network, usdcAddress, usdcDomain } from '../../src/core/chain-constants.ts'
import { getNetwork } from '../../src/core/networks.ts'
import type { Rpc } from '../../src/sandbox/json-rpc.ts'
import factoryArtifact from './contracts/wallet-artifacts.json' with { type: 'json' }
import { fund, signForWallet, wrapErc6492 } from './hostile-wallets.ts'
import { encodeHeader, type PaymentWish, type SignedPayment } from './signed-payments.ts'
import { transferAuthorizationTypes } from './transfer-authorization.ts'

const factoryAbi = parseAbi([
  'function create(address owner, bytes32 salt) returns (address)',
  'function createAndCall(address owner, bytes32 salt, address target, bytes data)',
  'function createAndBurn(address owner, bytes32 salt, uint256 gas)',
  'function addressOf(address owner, bytes32 salt) view returns (address)',
])

/** The address of a factory that is configured before a chain exists. */
export const namedFactory: Address = '0x00000000000000000000000000000000000fac70'

/** Deploys a factory of contract wallets, which `WALLET_FACTORIES` may name. */
export async function deployFactory(
  rpc: Rpc,
  factory: Address = getAddress(`0x${randomBytes(20).toString('hex')}`),
): Promise<Address> {
  await rpc('anvil_setCode', [factory, factoryArtifact.WalletFactory.runtime])
  return factory
}

interface Making {
  /** A call that the factory makes after the wallet exists. */
  call?: { target: Address; data: Hex }
  /** Gas that the factory burns after the wallet exists. */
  burns?: bigint
}

/**
 * A funded contract wallet with one key that is not deployed yet.
 *
 * @example
 * const wallet = await makeKeyWallet(money, await deployFactory(money.rpc))
 * await shop.buyLeaflet((await wallet.sign({ amount })).header)
 */
export async function makeKeyWallet(
  { rpc, rpcUrl }: { rpc: Rpc; rpcUrl: string },
  factory: Address,
  { balance = 100_000_000n, token }: { balance?: bigint; token?: string } = {},
) {
  const owner = privateKeyToAccount(keccak256(randomBytes(32)))
  const salt: Hex = `0x${randomBytes(32).toString('hex')}`
  const client = createPublicClient({ transport: http(rpcUrl) })
  const { data = '0x' } = await client.call({
    to: factory,
    data: encodeFunctionData({ abi: factoryAbi, functionName: 'addressOf', args: [owner.address, salt] }),
  })
  const address = decodeFunctionResult({ abi: factoryAbi, functionName: 'addressOf', data })
  await fund(rpc, address, balance, token)

  const toFactoryData = ({ call, burns }: Making): Hex => {
    if (call) {
      const args = [owner.address, salt, call.target, call.data] as const
      return encodeFunctionData({ abi: factoryAbi, functionName: 'createAndCall', args })
    }
    if (burns !== undefined) {
      const args = [owner.address, salt, burns] as const
      return encodeFunctionData({ abi: factoryAbi, functionName: 'createAndBurn', args })
    }
    return encodeFunctionData({ abi: factoryAbi, functionName: 'create', args: [owner.address, salt] })
  }
  const withSignature = (payment: SignedPayment, signature: Hex): SignedPayment => {
    const payload = { ...payment.payload, payload: { ...payment.payload.payload, signature } }
    return { ...payment, payload, header: encodeHeader(payload) }
  }

  /** A signature that the wallet accepts, followed by `moreBytes` bytes that it ignores. */
  const sign = async (wish: PaymentWish, moreBytes = 1): Promise<SignedPayment> => {
    const payment = await signForWallet(address, wish)
    const { from, to, value, validAfter, validBefore, nonce } = payment.payload.payload.authorization
    const { domain, address: token, network: on } = wish.asset ?? { domain: usdcDomain, address: usdcAddress, network }
    const signature = await owner.signTypedData({
      domain: { ...domain, chainId: getNetwork(on).chainId, verifyingContract: getAddress(token) },
      types: transferAuthorizationTypes,
      primaryType: 'TransferWithAuthorization',
      message: {
        ...{ from: getAddress(from), to: getAddress(to), nonce },
        ...{ value: BigInt(value), validAfter: BigInt(validAfter), validBefore: BigInt(validBefore) },
      },
    })
    return withSignature(payment, concat([signature, `0x${randomBytes(moreBytes).toString('hex')}`]))
  }

  return {
    address,
    sign,
    /** The same, wrapped in what deploys the wallet (ERC-6492). */
    async signUndeployed(wish: PaymentWish, making: Making = {}): Promise<SignedPayment> {
      const payment = await sign(wish)
      const { signature } = payment.payload.payload
      return withSignature(payment, wrapErc6492(factory, toFactoryData(making), signature))
    },
    wrap: (payment: SignedPayment): SignedPayment =>
      withSignature(payment, wrapErc6492(factory, toFactoryData({}), payment.payload.payload.signature)),
    isDeployed: async () => (await client.getCode({ address })) !== undefined,
    async deploy(): Promise<void> {
      const from = getAddress(`0x${randomBytes(20).toString('hex')}`)
      await rpc('anvil_setBalance', [from, '0x8ac7230489e80000'])
      await rpc('anvil_impersonateAccount', [from])
      await rpc('eth_sendTransaction', [{ from, to: factory, data: toFactoryData({}) }])
    },
  }
}
