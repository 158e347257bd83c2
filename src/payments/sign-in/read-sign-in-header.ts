import { getAddress, isAddress } from 'viem'
import { createSiweMessage } from 'viem/siwe'
import { z } from 'zod'
import { chainId, network } from '../../core/chain-constants.ts'

/** The longest header that is read, in bytes; the signature of a smart wallet needs about 4 KiB. */
const maxHeaderBytes = 12 * 1024

const time = z.iso.datetime({ offset: true })
const payloadSchema = z.object({
  domain: z.string(),
  address: z.string().refine((text) => isAddress(text, { strict: false })),
  statement: z.string().optional(),
  uri: z.string(),
  version: z.literal('1'),
  chainId: z.literal(network),
  type: z.literal('eip191'),
  nonce: z.string(),
  issuedAt: time,
  expirationTime: time.optional(),
  notBefore: time.optional(),
  requestId: z.string().optional(),
  resources: z.array(z.string()).max(10).optional(),
  signature: z.string().regex(/^0x(?:[0-9a-fA-F]{2})+$/),
})

/**
 * Reads a `SIGN-IN-WITH-X` header (x402 v2, extension sign-in-with-x, CAIP-122): base64 over the fields of the message
 * and its signature.
 *
 * @returns the EIP-4361 message and its signature; undefined when the header is malformed or for another chain
 */
export function readSignInHeader(header: string): { message: string; signature: string } | undefined {
  if (header.length > maxHeaderBytes || !/^[A-Za-z0-9+/]+={0,2}$/.test(header)) return undefined
  try {
    const json: unknown = JSON.parse(Buffer.from(header, 'base64').toString('utf8'))
    const payload = payloadSchema.parse(json)
    const { signature, address, domain, uri, version, nonce, statement, requestId, resources } = payload
    const { issuedAt, expirationTime, notBefore } = payload
    const message = createSiweMessage({
      ...{ domain, uri, version, nonce },
      ...(statement !== undefined && { statement }),
      ...(requestId !== undefined && { requestId }),
      ...(resources !== undefined && { resources }),
      address: getAddress(address),
      chainId,
      issuedAt: new Date(issuedAt),
      ...(expirationTime !== undefined && { expirationTime: new Date(expirationTime) }),
      ...(notBefore !== undefined && { notBefore: new Date(notBefore) }),
    })
    return { message, signature }
  } catch {
    // Not base64 of JSON with valid fields.
    return undefined
  }
}
