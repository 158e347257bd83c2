import {
  decodeAbiParameters,
  type Hex,
  hashMessage,
  hashTypedData,
  hexToBigInt,
  isHex,
  recoverAddress,
  size,
  slice,
} from 'viem'
import { domainOf } from '../../core/assets.ts'
import { network, transferTypes } from '../../core/chain-constants.ts'
import { keepRecent } from '../../core/keep-recent.ts'
import { findNetwork } from '../../core/networks.ts'
import type { Payment } from '../wire/payment.ts'
import type { ChainOracle } from './chain-oracle.ts'

/**
 * The kind of a signature, by its form alone:
 * - `key`: 65 bytes, by a private key, or by a contract wallet that uses the same form
 * - `contract`: any other bytes, which a contract wallet may accept (ERC-1271)
 * - `undeployed`: by a contract wallet that is not deployed yet (ERC-6492), with the signature inside
 */
type Signature = { is: 'key' } | { is: 'contract' } | { is: 'undeployed'; inner: Hex }

/** The order of secp256k1, and half of it: two values of `s` fit a signature, and tokens refuse the larger one. */
const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
const largestS = order / 2n
/** The last 32 bytes of a wrapped signature (ERC-6492). */
const wrapMark = /(?:6492){16}$/
const wrapped = [{ type: 'address' }, { type: 'bytes' }, { type: 'bytes' }] as const

/** Classifies a signature without asking the chain; undefined when it cannot be valid for any wallet. */
function readSignature(signature: string): Signature | undefined {
  const hex = signature.toLowerCase()
  if (!isHex(hex)) return undefined
  if (wrapMark.test(hex)) return readWrapped(hex)
  return { is: isOfKey(hex) ? 'key' : 'contract' }
}

/** Whether bytes have the form of a signature that tokens accept from a private key. */
function isOfKey(hex: Hex): boolean {
  if (size(hex) !== 65) return false
  const r = hexToBigInt(slice(hex, 0, 32))
  const s = hexToBigInt(slice(hex, 32, 64))
  const v = hexToBigInt(slice(hex, 64))
  return r > 0n && r < order && s > 0n && s <= largestS && (v === 27n || v === 28n)
}

/**
 * Converts a signature whose recovery id is 0 or 1, as hardware and some wallets write it, to the usual 27 or 28;
 * undefined when it has another form. Tokens do not accept that form, but a sign-in does.
 */
function countFrom27(signature: string): Hex | undefined {
  const [, point, parity] = /^0x([0-9a-f]{128})0([01])$/i.exec(signature) ?? []
  const usual: Hex = `0x${point ?? ''}${parity === '0' ? '1b' : '1c'}`
  return point !== undefined && isOfKey(usual) ? usual : undefined
}

function readWrapped(hex: Hex): Signature | undefined {
  try {
    const [factory, , inner] = decodeAbiParameters(wrapped, slice(hex, 0, -32))
    return BigInt(factory) === 0n || size(inner) === 0 ? undefined : { is: 'undeployed', inner }
  } catch {
    // It has the ERC-6492 suffix, but not the encoding.
    return undefined
  }
}

/** Whether a wallet signed; `unknown` when its contract has to be asked and the RPC does not answer. */
export type Signed = 'yes' | 'no' | 'unknown'

/**
 * Checks signatures without a facilitator. Contracts are looked up on the network of the payment, because the same
 * address may be another contract, or none, on another network.
 *
 * @param findOracle the oracle of a network; undefined for a network that is not accepted, where no signature counts
 */
export function makeWalletCheck(findOracle: (network: string) => ChainOracle | undefined) {
  const hasSigned = async (on: string, wallet: string, digest: Hex, signature: string): Promise<Signed> => {
    const oracle = findOracle(on)
    if (!oracle) return 'no'
    const read = readSignature(signature)
    if (!read || !isHex(signature)) return 'no'
    // A plain account may also wrap its signature as in ERC-6492, and pays with it.
    const inner = read.is === 'undeployed' ? read.inner : signature
    if (isOfKey(inner) && (await recovers(digest, inner)) === wallet) return 'yes'
    try {
      if (!(await oracle.hasCode(wallet))) return 'no'
      return (await oracle.accepts(wallet, digest, inner)) ? 'yes' : 'no'
    } catch {
      return 'unknown'
    }
  }

  return {
    /**
     * Whether the signature could be by this payer at all. Only a signature of kind `contract` costs a call to the
     * chain. True when the RPC does not answer.
     */
    async couldBeSigned({ payer, signature, accepted }: Payment): Promise<boolean> {
      const read = readSignature(signature)
      if (read?.is !== 'contract') return read !== undefined
      const oracle = findOracle(accepted.network)
      return oracle ? oracle.hasCode(payer).catch(() => true) : false
    },

    /**
     * Whether the payer signed this authorization, by its private key or according to its contract (ERC-1271). For a
     * contract that is not deployed the answer is `no`: it has not paid anybody yet.
     */
    async isSigned(payment: Payment): Promise<Signed> {
      const digest = toDigest(payment)
      return digest ? hasSigned(payment.accepted.network, payment.payer, digest, payment.signature) : 'no'
    },

    /** The same for a text that was signed with `personal_sign` (ERC-191), on Base. `wallet` is in lower case. */
    async isSignedText(wallet: string, text: string, signature: string): Promise<Signed> {
      const digest = hashMessage(text)
      const usual = countFrom27(signature)
      if (usual && (await recovers(digest, usual)) === wallet) return 'yes'
      return hasSigned(network, wallet, digest, signature)
    },
  }
}

export type WalletCheck = ReturnType<typeof makeWalletCheck>

const hex = (text: string): Hex => {
  if (!isHex(text)) throw new TypeError('not hexadecimal')
  return text
}

/** Cached: recovery takes half a millisecond, and a buyer that waits sends the same signature every second. */
const findSigner = keepRecent(
  async (key): Promise<string | undefined> => {
    const [hash = '', signature = ''] = key.split(' ')
    try {
      return (await recoverAddress({ hash: hex(hash), signature: hex(signature) })).toLowerCase()
    } catch {
      // The numbers are not a point of the curve, so no key made them.
      return undefined
    }
  },
  { atMost: 250_000, sizeOf: () => 200 },
)

const recovers = (hash: Hex, signature: Hex): Promise<string | undefined> => findSigner(`${hash} ${signature}`)

/**
 * The EIP-712 hash that the wallet signs, which names one chain and token; undefined for a network that we do not know.
 */
function toDigest({ authorization, accepted }: Payment): Hex | undefined {
  const on = findNetwork(accepted.network)
  if (!on) return undefined
  const { from, to, value, validAfter, validBefore, nonce } = authorization
  return hashTypedData({
    domain: { ...domainOf(accepted.asset), chainId: on.chainId, verifyingContract: hex(accepted.asset) },
    types: transferTypes,
    primaryType: 'TransferWithAuthorization',
    message: {
      from: hex(from),
      to: hex(to),
      value: BigInt(value),
      validAfter: BigInt(validAfter),
      validBefore: BigInt(validBefore),
      nonce: hex(nonce),
    },
  })
}
