import { decodeAbiParameters, type Hex, hexToBigInt, isHex, size, slice } from 'viem'

/**
 * What a buyer's signature is, by its form alone:
 * - `key`: 65 bytes, of a key, or of a contract wallet that takes the same form
 * - `contract`: whatever else a contract wallet may want (ERC-1271)
 * - `undeployed`: of a contract wallet that is yet to be deployed (ERC-6492), with the signature inside
 */
export type Signature = { is: 'key' } | { is: 'contract' } | { is: 'undeployed'; inner: Hex }

/** The order of secp256k1, and half of it: tokens refuse the larger `s` of the two that fit a signature. */
const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
const largestS = order / 2n
/** The last 32 bytes of a wrapped signature (ERC-6492). */
const wrapMark = /(?:6492){16}$/
const wrapped = [{ type: 'address' }, { type: 'bytes' }, { type: 'bytes' }] as const

/** Reads a signature before anybody is asked about it; undefined when it can be none, whoever signed. */
export function readSignature(signature: string): Signature | undefined {
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
