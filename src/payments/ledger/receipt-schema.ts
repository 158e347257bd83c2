import { z } from 'zod'
import { atomicText, dateTime, evmAddress, microUsdText, uri } from '../../core/formats.ts'
import { documents } from '../../core/json-schema.ts'

/** Proof of one settled sale, published at `/api/receipts/{id}.json`. */
export const receiptSchema = z
  .object({
    /** `r_` and 128 random bits: unguessable, so that only the buyer can share it. */
    id: z.string().regex(/^r_[A-Za-z0-9_-]+$/),
    path: z.string().describe('What was bought'),
    product: z.string(),
    amountMicroUsd: microUsdText,
    amountUnits: atomicText.describe('What was paid, in atomic units of the asset; absent for USDC').optional(),
    asset: evmAddress,
    network: z.string(),
    testMoney: z
      .literal(true)
      .describe('Paid on a test network, with money that is worth nothing; absent for any other')
      .optional(),
    payTo: evmAddress,
    payer: evmAddress,
    transaction: z.string().describe('Hash of the settling transaction'),
    settledAt: dateTime,
    sha256: z
      .string()
      .regex(/^[0-9a-f]{64}$/)
      .describe('Of the product; absent where what was sold is no bytes')
      .optional(),
    reversedAt: dateTime
      .describe('When the chain turned out to have lost the transfer; absent while it stands')
      .optional(),
    refund: z
      .object({
        amountMicroUsd: microUsdText,
        amountUnits: atomicText.describe('As for the payment').optional(),
        refundedAt: dateTime,
        transaction: z.string().describe('Absent where it was sent back by hand').optional(),
        note: z.string().optional(),
      })
      .describe('When the operator sent the money back; absent where it was not')
      .optional(),
    signed: z
      .object({
        document: z.string().describe('JWS (EdDSA) over all the other fields; its key is among those at `keys`'),
        keys: uri.describe('Where the shop publishes its keys (did:web)'),
        x402: z
          .object({ format: z.literal('jws'), signature: z.string() })
          .describe('The receipt of the offer-receipt extension of x402; absent for a payment that was reversed')
          .optional(),
      })
      .describe('So that others can check it without asking here')
      .optional(),
  })
  .register(documents, {
    name: 'Receipt',
    example: {
      id: 'r_0123456789abcdef',
      path: '/skills/x402-buyer/raw',
      product: 'x402-buyer',
      amountMicroUsd: '100000',
      asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
      network: 'eip155:8453',
      payTo: '0x1111111111111111111111111111111111111402',
      payer: '0x2222222222222222222222222222222222221402',
      transaction: `0x${'ab'.repeat(32)}`,
      settledAt: '2026-11-20T08:00:00.000Z',
      sha256: 'ab'.repeat(32),
      signed: {
        document: 'eyJhbGciOiJFZERTQSJ9.e30.c2lnbmF0dXJl',
        keys: 'https://shop.example/.well-known/did.json',
        x402: { format: 'jws', signature: 'eyJhbGciOiJFZERTQSJ9.e30.c2lnbmF0dXJl' },
      },
    },
  })

export type Receipt = z.output<typeof receiptSchema>
