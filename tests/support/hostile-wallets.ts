import { randomBytes } from 'node:crypto'
import {
  type Address,
  concat,
  createWalletClient,
  encodeAbiParameters,
  encodeFunctionData,
  getAddress,
  type Hex,
  http,
  keccak256,
  numberToHex,
  parseAbi,
  publicActions,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { sandboxAccounts } from '../../src/config/sandbox-accounts.ts'
import { usdcAddress } from '../../src/core/chain-constants.ts'
import type { Rpc } from '../../src/sandbox/json-rpc.ts'
import artifacts from './contracts/artifacts.json' with { type: 'json' }
import { encodeHeader, type PaymentWish, type SignedPayment, signPayment } from './signed-payments.ts'

/**
 * What a contract wallet does when the token asks it about a signature.
 *
 * - `accepts`: accepts any signature
 * - `reverts`; `rubbish`: returns `figure` zero bytes (0: none at all); `burns`: uses all its gas; `loops`: never ends;
 *   `costly`: accepts after burning `figure` gas
 * - `late`: accepts up to block number `figure`; `simulated`: accepts only without a gas price, as in `eth_call`
 *
 * `setManner` changes it between a simulation and the transaction.
 */
export type Manner = 'accepts' | 'reverts' | 'rubbish' | 'burns' | 'loops' | 'costly' | 'late' | 'simulated'

/** The index of a manner is its number in the contract. */
const manners: readonly Manner[] = ['accepts', 'reverts', 'rubbish', 'burns', 'loops', 'costly', 'late', 'simulated']

/** The last 32 bytes of every signature of an undeployed wallet (ERC-6492). */
export const erc6492Marker: Hex = `0x${'6492'.repeat(16)}`

/** Ends in the ERC-6492 marker, but nothing before it can be decoded. */
export const garbageErc6492 = (): Hex => concat([`0x${randomBytes(65).toString('hex')}`, erc6492Marker])

/** A well-formed ERC-6492 signature: a factory, the data to call it with, and the signature of the resulting wallet. */
export const wrapErc6492 = (factory: Address, data: Hex, signature: Hex = '0x1234'): Hex =>
  concat([
    encodeAbiParameters([{ type: 'address' }, { type: 'bytes' }, { type: 'bytes' }], [factory, data, signature]),
    erc6492Marker,
  ])

const word = (value: bigint): Hex => numberToHex(value, { size: 32 })
/** The storage slot in which the USDC stand-in keeps an owner's balance. */
const balanceSlot = (owner: Address): Hex =>
  keccak256(encodeAbiParameters([{ type: 'address' }, { type: 'uint256' }], [owner, 0n]))
const freshAddress = (): Address => getAddress(`0x${randomBytes(20).toString('hex')}`)

/** Changes what a wallet does from the next call on. */
export async function setManner(rpc: Rpc, wallet: Address, manner: Manner, figure = 0n): Promise<void> {
  await rpc('anvil_setStorageAt', [wallet, word(1n), word(figure)])
  await rpc('anvil_setStorageAt', [wallet, word(0n), word(BigInt(manners.indexOf(manner)))])
}

/** Sets an address's balance of USDC, or of another test token, in millionths. */
export const fund = (rpc: Rpc, owner: Address, balance: bigint, token: string = usdcAddress) =>
  rpc('anvil_setStorageAt', [token, balanceSlot(owner), word(balance)])

/** Deploys a contract wallet, with 100 USDC unless told otherwise. */
export async function deployWallet(
  rpc: Rpc,
  manner: Manner,
  { figure = 0n, balance = 100_000_000n }: { figure?: bigint; balance?: bigint } = {},
): Promise<Address> {
  const wallet = freshAddress()
  await rpc('anvil_setCode', [wallet, artifacts.HostileWallet.runtime])
  await setManner(rpc, wallet, manner, figure)
  await fund(rpc, wallet, balance)
  return wallet
}

/** A payment from any address with any signature, by default of a length for which the token asks a contract wallet. */
export async function signForWallet(
  wallet: Address,
  wish: PaymentWish,
  signature: Hex = `0x${randomBytes(66).toString('hex')}`,
): Promise<SignedPayment> {
  const { payload, nonce } = await signPayment(wish)
  const authorization = { ...payload.payload.authorization, from: wallet }
  const signed = { ...payload, payload: { signature, authorization } }
  return { payload: signed, header: encodeHeader(signed), nonce, payer: wallet.toLowerCase() }
}

const multicall = parseAbi(['struct Call { address target; bytes data; }', 'function run(Call[] calls)'])
const token = parseAbi([
  'function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, bytes signature)',
])
const fakeToken = parseAbi([
  'function pretendTransfer(address from, address to, uint256 value)',
  'function pretendUse(address authorizer, bytes32 nonce)',
])

export type Call = { target: Address; data: Hex }

/** The call with which anybody can send a signed authorization to the token. */
export function toTransferCall({ payload }: SignedPayment): Call {
  const { from, to, value, validAfter, validBefore, nonce } = payload.payload.authorization
  const { signature } = payload.payload
  const args = [from, to, BigInt(value), BigInt(validAfter), BigInt(validBefore), nonce, signature] as const
  return {
    target: usdcAddress,
    data: encodeFunctionData({ abi: token, functionName: 'transferWithAuthorization', args }),
  }
}

/**
 * Contracts of an attacker: one that forwards calls in one transaction, and one that emits the token's events from its
 * own address.
 *
 * @example
 * const hands = await deployHostileContracts(money)
 * await hands.run([toTransferCall(one), hands.pretendTransfer(from, to, 1n), toTransferCall(other)])
 */
export async function deployHostileContracts({ rpc, rpcUrl }: { rpc: Rpc; rpcUrl: string }) {
  const [multicallAddress, fakeTokenAddress] = [freshAddress(), freshAddress()]
  await rpc('anvil_setCode', [multicallAddress, artifacts.Multicall.runtime])
  await rpc('anvil_setCode', [fakeTokenAddress, artifacts.FakeToken.runtime])
  const account = privateKeyToAccount(sandboxAccounts.relayer.privateKey)
  const stranger = createWalletClient({ account, transport: http(rpcUrl) }).extend(publicActions)

  return {
    fakeToken: fakeTokenAddress,
    pretendTransfer: (from: Address, to: Address, value: bigint): Call => ({
      target: fakeTokenAddress,
      data: encodeFunctionData({ abi: fakeToken, functionName: 'pretendTransfer', args: [from, to, value] }),
    }),
    pretendUse: (authorizer: Address, nonce: Hex): Call => ({
      target: fakeTokenAddress,
      data: encodeFunctionData({ abi: fakeToken, functionName: 'pretendUse', args: [authorizer, nonce] }),
    }),
    /** Sends one transaction with these calls in order, and waits until it is mined; throws when any call fails. */
    async run(calls: readonly Call[]): Promise<Hex> {
      const call = { address: multicallAddress, abi: multicall, functionName: 'run', args: [calls] } as const
      const hash = await stranger.writeContract({ ...call, chain: null })
      const { status } = await stranger.waitForTransactionReceipt({ hash, pollingInterval: 20 })
      if (status !== 'success') throw new Error(`the transaction ${hash} reverted`)
      return hash
    },
  }
}
