import { randomBytes } from 'node:crypto'
import { getAddress } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { chainId, transferTypes } from '../core/chain-constants.ts'
import type { Challenge, Terms } from './terms.ts'
import { UsageError } from './usage.ts'

/** What the buyer decides about a signature; everything else is in the terms. */
export interface SignOptions {
  nonce: `0x${string}`
  /** Seconds since 1970. */
  validBefore: number
}

/** A wallet that signs one of the terms of a 402. */
export interface Signer {
  payer: string
  /** @returns the value of `PAYMENT-SIGNATURE`; whoever holds it can deliver the money, to the shop only */
  sign(challenge: Challenge, terms: Terms, options: SignOptions): Promise<string>
}

/** A nonce that no other payment has. */
export const makeNonce = (): `0x${string}` => `0x${randomBytes(32).toString('hex')}`

/**
 * Makes the signer of a wallet. The reference x402 client draws a new nonce for every signature, and a payment that
 * takes the place of another must carry the same: so this is signed here, as x402 v2 wants it (scheme `exact`).
 *
 * @throws UsageError when the number is no private key
 */
export function makeSigner(privateKey: `0x${string}`): Signer {
  const account = toAccount(privateKey)
  return {
    payer: account.address,
    async sign({ resource, extensions }, terms, { nonce, validBefore }) {
      const { name, version } = terms.extra
      const authorization = {
        from: account.address,
        to: getAddress(terms.payTo.toLowerCase()),
        value: terms.amount,
        validAfter: '0',
        validBefore: String(validBefore),
        nonce,
      }
      const signature = await account.signTypedData({
        domain: { name, version, chainId, verifyingContract: getAddress(terms.asset.toLowerCase()) },
        types: transferTypes,
        primaryType: 'TransferWithAuthorization',
        message: { ...authorization, value: BigInt(terms.amount), validAfter: 0n, validBefore: BigInt(validBefore) },
      })
      const payload = { signature, authorization }
      const payment = { x402Version: 2, payload, resource, accepted: terms, ...(extensions && { extensions }) }
      return Buffer.from(JSON.stringify(payment)).toString('base64')
    },
  }
}

function toAccount(privateKey: `0x${string}`) {
  try {
    return privateKeyToAccount(privateKey)
  } catch {
    // The library's own error would quote the key.
    throw new UsageError('the private key is not a number a wallet can have')
  }
}
