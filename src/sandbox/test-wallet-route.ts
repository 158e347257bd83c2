import { z } from 'zod'
import { sandboxAccounts } from '../config/sandbox-accounts.ts'
import { chainId, transferTypes, usdcDomain } from '../core/chain-constants.ts'
import { Problem } from '../core/problem.ts'
import { testWalletPath } from '../core/test-wallet-path.ts'
import { toPointed, validate } from '../core/validate.ts'
import { readJson } from '../http/read-json.ts'
import type { Route } from '../http/route.ts'

/** Hexadecimal, converted to lower case: mixed case might be taken for a wrong checksum. */
const hex = (digits: number) =>
  z
    .string()
    .regex(new RegExp(`^0x[0-9a-fA-F]{${digits}}$`))
    .transform((text): `0x${string}` => `0x${text.slice(2).toLowerCase()}`)
/** An amount with up to 38 digits: more than there will ever be of a token, and less than 256 bits. */
const uint = z.string().regex(/^\d{1,38}$/)

/** A transfer of the sandbox's own token, in the form in which wallets are asked to sign it (EIP-712). */
const toTypedData = (asset: string) =>
  z.object({
    primaryType: z.literal('TransferWithAuthorization'),
    domain: z.object({
      chainId: z.literal(chainId),
      verifyingContract: z
        .string()
        .refine((at) => at.toLowerCase() === asset.toLowerCase(), 'must be the sandbox USDC'),
    }),
    message: z.object({
      from: hex(40),
      to: hex(40),
      value: uint,
      validAfter: uint,
      validBefore: uint,
      nonce: hex(64),
    }),
  })

/**
 * Signs payments with the public test key of the sandbox's buyer, so that a page can try a purchase without a wallet.
 * Only a sandbox has this route.
 *
 * @param asset the token of the sandbox
 */
export function makeTestWalletRoute(asset: string): Route {
  const schema = toTypedData(asset)
  const verifyingContract = hex(40).parse(asset)
  return {
    path: testWalletPath,
    handlers: {
      async POST(request) {
        const body = await readJson(request, { maxBytes: 8192, maxDepth: 6 })
        if (body.is === 'refused') throw new Problem(body.kind, { detail: body.detail })
        const read = validate(schema, body.value)
        if (read.is === 'wrong') throw new Problem('invalid-input', { errors: read.faults.map(toPointed) })
        const { value, validAfter, validBefore, ...rest } = read.value.message
        // Loaded on demand, because only the sandbox signs and it would delay the start.
        const { signTypedData } = await import('viem/accounts')
        const signature = await signTypedData({
          privateKey: sandboxAccounts.buyer.privateKey,
          types: transferTypes,
          primaryType: 'TransferWithAuthorization',
          domain: { ...usdcDomain, chainId, verifyingContract },
          message: {
            ...rest,
            value: BigInt(value),
            validAfter: BigInt(validAfter),
            validBefore: BigInt(validBefore),
          },
        })
        return new Response(signature, {
          headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' },
        })
      },
    },
  }
}
