import { type Hex, hashTypedData, isHex, recoverAddress } from 'viem'
import { chainId, transferTypes, usdcDomain } from '../../core/chain-constants.ts'
import type { Payment } from '../wire/payment.ts'
import type { ChainOracle } from './chain-oracle.ts'
import { readSignature } from './read-signature.ts'

/** Whether a wallet signed; `unknown` when a contract has to be asked and the RPC does not answer. */
export type Signed = 'yes' | 'no' | 'unknown'

/** Looks at signatures ourselves, before a facilitator is asked or instead of one. */
export function makeWalletCheck(oracle: ChainOracle) {
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
    async isSigned(payment: Payment): Promise<Signed> {
      const { payer, signature } = payment
      const read = readSignature(signature)
      if (!read || !isHex(signature)) return 'no'
      const digest = toDigest(payment)
      if (read.is === 'key' && (await recovers(digest, signature)) === payer) return 'yes'
      try {
        if (!(await oracle.hasCode(payer))) return 'no'
        return (await oracle.accepts(payer, digest, read.is === 'undeployed' ? read.inner : signature)) ? 'yes' : 'no'
      } catch {
        return 'unknown'
      }
    },
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
