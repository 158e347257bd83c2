import { createPublicKey, verify } from 'node:crypto'
import * as z from 'zod/mini'
import { showUnits } from '../core/assets.ts'
import { canonicalJson } from '../core/canonical-json.ts'
import { toDisplay } from '../core/money.ts'
import { parseJson } from './parse-json.ts'
import { printable } from './printable.ts'
import { tokenName } from './token.ts'

/** Whether a receipt is proven, with lines for people. */
export interface Verdict {
  readonly isProven: boolean
  readonly lines: readonly string[]
}

const text = z.string()
const amount = text.check(z.regex(/^\d{1,30}$/))
const amounts = { amountMicroUsd: amount, amountUnits: z.optional(amount) }
const receiptSchema = z.looseObject({
  id: text,
  path: text,
  product: text,
  ...amounts,
  asset: text,
  network: text,
  testMoney: z.optional(z.literal(true)),
  payTo: text,
  payer: text,
  transaction: text,
  settledAt: text,
  sha256: z.optional(text),
  reversedAt: z.optional(text),
  refund: z.optional(z.looseObject({ ...amounts, refundedAt: text })),
  signed: z.object({ document: text, x402: z.optional(z.object({ format: z.literal('jws'), signature: text })) }),
})
const keysSchema = z.object({
  id: text,
  verificationMethod: z.array(
    z.object({
      id: text,
      publicKeyJwk: z.object({ kty: z.literal('OKP'), crv: z.literal('Ed25519'), x: text }),
    }),
  ),
  assertionMethod: z.array(text),
})
const headerSchema = z.object({ alg: z.literal('EdDSA'), kid: text, typ: z.optional(text) })
const x402Schema = z.object({
  version: z.literal(1),
  network: text,
  resourceUrl: z.url(),
  payer: text,
  transaction: z.optional(text),
})

/** The error when a receipt is not proven; its message is a sentence. */
class Unproven extends Error {}

/**
 * Checks a receipt against the keys of the shop: that one of them signed everything in its document, that its x402
 * receipt agrees, and that the product is the one it names.
 *
 * @param keys the shop's `/.well-known/did.json`, which the user has to fetch from the shop's own host
 * @param productSha256 SHA-256 of the file that is said to be the product
 */
export function verifyReceipt(receipt: unknown, keys: unknown, productSha256?: string): Verdict {
  try {
    return { isProven: true, lines: prove(receipt, keys, productSha256) }
  } catch (error) {
    if (!(error instanceof Unproven)) throw error
    return { isProven: false, lines: [`not proven: ${error.message}`] }
  }
}

function prove(given: unknown, givenKeys: unknown, productSha256: string | undefined): string[] {
  const read = receiptSchema.safeParse(given)
  if (!read.success) throw new Unproven('the first file is not a signed receipt')
  const keys = keysSchema.safeParse(givenKeys)
  if (!keys.success) throw new Unproven('the second file is not a did.json with Ed25519 keys')
  const { signed, ...facts } = read.data
  const said = openSigned(signed.document, keys.data, 'receipt')
  if (canonicalJson(said) !== canonicalJson(facts)) throw new Unproven('the receipt was changed after it was signed')
  if (signed.x402) checkX402(openSigned(signed.x402.signature, keys.data), facts, keys.data.id)
  if (productSha256 !== undefined && facts.sha256 === undefined)
    throw new Unproven('the receipt does not say what SHA-256 the product has')
  if (productSha256 !== undefined && facts.sha256 !== productSha256)
    throw new Unproven(
      `the product is another one: its SHA-256 is ${productSha256}, and the receipt says ${facts.sha256}`,
    )
  return [
    `signed by ${printable(toHost(keys.data.id))}`,
    `${facts.id}: ${toPrice(facts)} for ${facts.product}, ${facts.path}`,
    `from ${facts.payer} to ${facts.payTo} on ${facts.network}`,
    ...(facts.testMoney ? ['paid with test money, which is worth nothing'] : []),
    `in ${facts.transaction}, settled ${facts.settledAt}`,
    ...(facts.sha256 === undefined
      ? []
      : [`product: SHA-256 ${facts.sha256}${productSha256 ? ', as the file has' : ''}`]),
    ...(facts.reversedAt === undefined ? [] : [`reversed ${facts.reversedAt}: the chain has lost this payment`]),
    ...(facts.refund
      ? [`refunded ${toSum({ ...facts.refund, asset: facts.asset })} on ${facts.refund.refundedAt}`]
      : []),
  ].map(printable)
}

interface Sum {
  amountMicroUsd: string
  /** The amount in another token than USDC; its value in dollars is only what the shop assumed. */
  amountUnits?: string | undefined
  asset: string
}

const toSum = ({ amountMicroUsd, amountUnits, asset }: Sum): string =>
  amountUnits === undefined ? toDisplay(BigInt(amountMicroUsd)) : showUnits(BigInt(amountUnits), asset)

/** The price and its token: `$0.10 in EURC (0.092 EURC)`. */
const toPrice = (sum: Sum): string => {
  const price = `${toDisplay(BigInt(sum.amountMicroUsd))} in ${tokenName(sum.asset)}`
  return sum.amountUnits === undefined ? price : `${price} (${toSum(sum)})`
}

const toHost = (did: string): string => decodeURIComponent(did.replace(/^did:web:/, ''))

/** The payload of a JWS, which one of the keys must have signed with this `typ`. */
function openSigned(jws: string, keys: z.output<typeof keysSchema>, typ?: string): unknown {
  const parts = jws.split('.')
  const [head = '', payload = '', signature = ''] = parts
  const header = headerSchema.safeParse(parseJson(Buffer.from(head, 'base64url')))
  if (parts.length !== 3 || !header.success || header.data.typ !== typ)
    throw new Unproven('a signature is not of the kind that receipts have')
  const { kid } = header.data
  const method = keys.verificationMethod.find(({ id }) => id === kid)
  if (!method || !kid.startsWith(`${keys.id}#`) || !keys.assertionMethod.includes(kid))
    throw new Unproven(`the second file does not have the key that signed it, ${printable(kid)}`)
  if (!isSignedBy(method.publicKeyJwk, `${head}.${payload}`, signature))
    throw new Unproven('a signature was not made with the shop’s key')
  return parseJson(Buffer.from(payload, 'base64url'))
}

function isSignedBy(jwk: { kty: 'OKP'; crv: 'Ed25519'; x: string }, message: string, signature: string): boolean {
  try {
    const key = createPublicKey({ key: jwk, format: 'jwk' })
    return verify(null, Buffer.from(message), key, Buffer.from(signature, 'base64url'))
  } catch {
    return false
  }
}

/** The short x402 receipt has to be of the same purchase and the same shop. */
function checkX402(said: unknown, facts: Omit<z.output<typeof receiptSchema>, 'signed'>, did: string): void {
  const read = x402Schema.safeParse(said)
  if (!read.success) throw new Unproven('its x402 receipt cannot be read')
  const { resourceUrl, network, payer, transaction } = read.data
  const { host, pathname } = new URL(resourceUrl)
  const isSame =
    host === toHost(did) &&
    pathname === facts.path &&
    network === facts.network &&
    payer === facts.payer &&
    transaction === facts.transaction
  if (!isSame) throw new Unproven('its x402 receipt is of another purchase')
}
