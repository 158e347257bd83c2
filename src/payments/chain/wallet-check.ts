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
 * What a buyer's signature is, by its form alone:
 * - `key`: 65 bytes, of a key, or of a contract wallet that takes the same form
 * - `contract`: whatever else a contract wallet may want (ERC-1271)
 * - `undeployed`: of a contract wallet that is yet to be deployed (ERC-6492), with the signature inside
 */
type Signature = { is: 'key' } | { is: 'contract' } | { is: 'undeployed'; inner: Hex }

/** The order of secp256k1, and half of it: tokens refuse the larger `s` of the two that fit a signature. */
const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
const largestS = order / 2n
/** The last 32 bytes of a wrapped signature (ERC-6492). */
const wrapMark = /(?:6492){16}$/
const wrapped = [{ type: 'address' }, { type: 'bytes' }, { type: 'bytes' }] as const

/** Reads a signature before anybody is asked about it; undefined when it can be none, whoever signed. */
function readSignature(signature: string): Signature | undefined {
  const hex = signature.toLowerCase()
  if (!isHex(hex)) return undefined
  if (wrapMark.test(hex)) return readWrapped(hex)
  return { is: isOfKey(hex) ? 'key' : 'contract' }
}

function isOfKey(hex: Hex): boolean {
  if (size(hex) !== 65) return false
  const r = hexToBigInt(slice(hex, 0, 32))
  const s = hexToBigInt(slice(hex, 32, 64))
  const v = hexToBigInt(slice(hex, 64))
  return r > 0n && r < order && s > 0n && s <= largestS && (v === 27n || v === 28n)
}

/**
 * The signature of a key whose last byte counts from 0, as hardware writes it and some wallets hand it on; undefined when
 * it is none. No token takes it so, but whose it is it says all the same.
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
    // Not what the mark promises.
    return undefined
  }
}

/** Whether a wallet signed; `unknown` when a contract has to be asked and the RPC does not answer. */
export type Signed = 'yes' | 'no' | 'unknown'

/**
 * Looks at signatures ourselves, before a facilitator is asked or instead of one. What is a contract on one network may
 * be somebody else's, or nothing, on another: the witness of the payment's own network is asked.
 *
 * @param findOracle undefined for a network that is not taken, where nobody has signed anything for us
 */
export function makeWalletCheck(findOracle: (network: string) => ChainOracle | undefined) {
  const hasSigned = async (on: string, wallet: string, digest: Hex, signature: string): Promise<Signed> => {
    const oracle = findOracle(on)
    if (!oracle) return 'no'
    const read = readSignature(signature)
    if (!read || !isHex(signature)) return 'no'
    // A plain account may wrap its signature too, and pays with it.
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
     * Whether the signature could be one of this payer at all. Only a contract's signature, or one of a form that keys
     * do not write, costs a question to the chain; an RPC that does not answer refuses nobody.
     */
    async couldBeSigned({ payer, signature, accepted }: Payment): Promise<boolean> {
      const read = readSignature(signature)
      if (read?.is !== 'contract') return read !== undefined
      const oracle = findOracle(accepted.network)
      return oracle ? oracle.hasCode(payer).catch(() => true) : false
    },

    /**
     * Whether the payer signed this authorization: its key did, or its contract says so (ERC-1271). A contract that is
     * not deployed has not paid anybody yet and proves nothing.
     */
    async isSigned(payment: Payment): Promise<Signed> {
      const digest = toDigest(payment)
      return digest ? hasSigned(payment.accepted.network, payment.payer, digest, payment.signature) : 'no'
    },

    /** The same of a text (ERC-191) for Base, as wallets sign it for people. `wallet` in lower case. */
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

/** Half a millisecond of work each time, and whoever waits for a product asks with the same signature every second. */
const findSigner = keepRecent(
  async (key): Promise<string | undefined> => {
    const [hash = '', signature = ''] = key.split(' ')
    try {
      return (await recoverAddress({ hash: hex(hash), signature: hex(signature) })).toLowerCase()
    } catch {
      // Numbers that are no point of the curve: nobody's key made them.
      return undefined
    }
  },
  { atMost: 250_000, sizeOf: () => 400 },
)

const recovers = (hash: Hex, signature: Hex): Promise<string | undefined> => findSigner(`${hash} ${signature}`)

/** What the wallet signs, which is good on one chain alone; undefined for a network that we do not know. */
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
