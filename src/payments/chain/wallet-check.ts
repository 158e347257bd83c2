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
import { chainId, transferTypes, usdcDomain } from '../../core/chain-constants.ts'
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
  if (size(hex) !== 65) return { is: 'contract' }
  const r = hexToBigInt(slice(hex, 0, 32))
  const s = hexToBigInt(slice(hex, 32, 64))
  const v = hexToBigInt(slice(hex, 64))
  const isOfKey = r > 0n && r < order && s > 0n && s <= largestS && (v === 27n || v === 28n)
  return { is: isOfKey ? 'key' : 'contract' }
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

/** Looks at signatures ourselves, before a facilitator is asked or instead of one. */
export function makeWalletCheck(oracle: ChainOracle) {
  const hasSigned = async (wallet: string, digest: Hex, signature: string): Promise<Signed> => {
    const read = readSignature(signature)
    if (!read || !isHex(signature)) return 'no'
    if (read.is === 'key' && (await recovers(digest, signature)) === wallet) return 'yes'
    try {
      if (!(await oracle.hasCode(wallet))) return 'no'
      return (await oracle.accepts(wallet, digest, read.is === 'undeployed' ? read.inner : signature)) ? 'yes' : 'no'
    } catch {
      return 'unknown'
    }
  }

  return {
    /**
     * Whether the signature could be one of this payer at all. Only a contract's signature, or one of a form that keys
     * do not write, costs a question to the chain; an RPC that does not answer refuses nobody.
     */
    async couldBeSigned({ payer, signature }: Payment): Promise<boolean> {
      const read = readSignature(signature)
      if (read?.is !== 'contract') return read !== undefined
      return oracle.hasCode(payer).catch(() => true)
    },

    /**
     * Whether the payer signed this authorization: its key did, or its contract says so (ERC-1271). A contract that is
     * not deployed has not paid anybody yet and proves nothing.
     */
    isSigned: (payment: Payment): Promise<Signed> => hasSigned(payment.payer, toDigest(payment), payment.signature),

    /** The same of a text (ERC-191), as wallets sign it for people. `wallet` in lower case. */
    isSignedText: (wallet: string, text: string, signature: string): Promise<Signed> =>
      hasSigned(wallet, hashMessage(text), signature),
  }
}

export type WalletCheck = ReturnType<typeof makeWalletCheck>

const recovers = async (hash: Hex, signature: Hex): Promise<string | undefined> => {
  try {
    return (await recoverAddress({ hash, signature })).toLowerCase()
  } catch {
    // Numbers that are no point of the curve: nobody's key made them.
    return undefined
  }
}

const hex = (text: string): Hex => {
  if (!isHex(text)) throw new TypeError('not hexadecimal')
  return text
}

function toDigest({ authorization, accepted }: Payment): Hex {
  const { from, to, value, validAfter, validBefore, nonce } = authorization
  return hashTypedData({
    domain: { ...usdcDomain, chainId, verifyingContract: hex(accepted.asset) },
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
