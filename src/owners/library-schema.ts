import { z } from 'zod'
import { atomicText, dateTime, evmAddress, microUsdText, uri } from '../core/formats.ts'
import { documents } from '../core/json-schema.ts'

/** One purchase of a wallet. */
const boughtSchema = z.object({
  receiptId: z.string(),
  receipt: uri,
  product: z.string(),
  path: z.string(),
  version: z.string().optional().describe('Of what comes in versions: the one that was bought'),
  amountMicroUsd: microUsdText,
  asset: evmAddress.optional().describe('The token that was paid in; absent for USDC'),
  amountUnits: atomicText.optional().describe('What was paid, in atomic units of that token; absent for USDC'),
  boughtAt: dateTime,
  transaction: z.string(),
  reversedAt: dateTime.optional().describe('When the chain took the transfer back: then it is not owned'),
  download: uri.optional().describe('The very bytes that were bought, for nothing, while they are kept or still sold'),
  latest: z
    .object({ version: z.string(), changes: z.string().optional(), page: uri })
    .optional()
    .describe('A newer version that is sold now'),
})

/** `/api/library.json`: the purchases of one wallet, the newest first, in pages linked by `next`. */
export const librarySchema = z
  .object({
    wallet: evmAddress,
    count: z.int().min(0).describe('Length of purchases'),
    purchases: z.array(boughtSchema),
    next: uri.optional().describe('What was bought earlier, when there is more than fits'),
  })
  .register(documents, {
    name: 'Library',
    example: { wallet: '0x2222222222222222222222222222222222221402', count: 0, purchases: [] },
  })

export type Library = z.output<typeof librarySchema>
export type Bought = z.output<typeof boughtSchema>

/** The query of the list. */
export const libraryQuery = z.object({
  before: z
    .string()
    .regex(/^r_[A-Za-z0-9_-]{1,62}$/, 'must be a receiptId of this wallet')
    .optional()
    .describe('A receiptId: only what was bought before that'),
})

/** The body of a request for a message to sign. */
export const askingSchema = z.strictObject({ address: evmAddress.describe('The wallet') })
/** The response with the message that the wallet signs. */
export const messageSchema = z
  .object({ message: z.string().describe('To be signed as it is, with personal_sign') })
  .register(documents, { name: 'SignInMessage', example: { message: 'shop.example wants you to sign in …' } })
/** The body of a sign-in: the message, and its signature by the wallet. */
export const signedSchema = z.strictObject({
  message: z.string().max(2000),
  signature: z
    .string()
    .max(20_000)
    .regex(/^0x(?:[0-9a-fA-F]{2})+$/),
})
/** The response to a sign-in: the wallet that is signed in. */
export const signedInSchema = z
  .object({ wallet: evmAddress })
  .register(documents, { name: 'SignedIn', example: { wallet: '0x2222222222222222222222222222222222221402' } })
