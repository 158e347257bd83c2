import { x402Client } from '@x402/core/client'
import { ExactEvmScheme } from '@x402/evm/exact/client'
import { privateKeyToAccount } from 'viem/accounts'
import * as z from 'zod/mini'
import { network } from '../chain-constants.ts'
import type { Challenge, Terms } from './terms.ts'
import { UsageError } from './usage.ts'

/** A payment ready to be sent. */
interface SignedPayment {
  /** Value of `PAYMENT-SIGNATURE`; whoever holds it can deliver the money, to the shop only. */
  header: string
  payer: string
  /** Seconds since 1970. */
  validBefore: number
}

/** Signs one of the terms of a 402. */
export type SignPayment = (challenge: Challenge, terms: Terms) => Promise<SignedPayment>

const signedPayload = z.object({ authorization: z.object({ from: z.string(), validBefore: z.coerce.number() }) })

/**
 * Makes the signer of a wallet, around the reference x402 client. Price and token are checked before it is called, in
 * whole micro-USD, so the client's own spending limit is off.
 *
 * @throws UsageError when the number is no private key
 */
export function makeSigner(privateKey: `0x${string}`): SignPayment {
  const account = toAccount(privateKey)
  const client = new x402Client().register(network, new ExactEvmScheme(account)).setSpendControls(false)
  return async ({ resource, extensions }, terms) => {
    const required = { x402Version: 2, resource, accepts: [terms], ...(extensions && { extensions }) }
    const payment = await client.createPaymentPayload(required)
    const { authorization } = signedPayload.parse(payment.payload)
    return {
      header: Buffer.from(JSON.stringify(payment)).toString('base64'),
      payer: authorization.from,
      validBefore: authorization.validBefore,
    }
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
