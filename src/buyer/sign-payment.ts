import { randomBytes } from 'node:crypto'
import { getAddress } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { chainId, transferTypes } from '../core/chain-constants.ts'
import type { Challenge, Terms } from './terms.ts'
import { UsageError } from './usage.ts'

/** What the buyer chooses for a signature; everything else is in the terms. */
export interface SignOptions {
  nonce: `0x${string}`
  /** Seconds since 1970. */
  validBefore: number
}

/** A wallet that signs one of the terms of a 402. */
export interface Signer {
  payer: string
  /**
   * Signs a payment.
   *
   * @returns the value of `PAYMENT-SIGNATURE`; anybody who has it can submit the transfer, but only to the shop
   */
  sign(challenge: Challenge, terms: Terms, options: SignOptions): Promise<string>
}

/** A new random nonce. */
export const makeNonce = (): `0x${string}` => `0x${randomBytes(32).toString('hex')}`

/**
 * Makes the signer of a wallet. It does not use the reference x402 client, which draws a new nonce for every signature:
 * a payment that replaces another has to have the same one. The format is that of x402 v2 (scheme `exact`).
 *
 * @throws UsageError when the key is not valid
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
    // The error of the library would quote the key.
    throw new UsageError('the private key is not a number a wallet can have')
  }
}
