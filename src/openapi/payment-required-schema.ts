import { z } from 'zod'
import { evmAddress, microUsdText, uri } from '../core/formats.ts'
import { documents } from '../core/json-schema.ts'

/** The terms of x402 version 2, as the body of a 402 shows them and its header carries them in base64. */
export const paymentRequiredSchema = z
  .object({
    x402Version: z.literal(2),
    error: z.string().optional(),
    resource: z.object({ url: uri, description: z.string().optional(), mimeType: z.string().optional() }),
    accepts: z.array(
      z.object({
        scheme: z.literal('exact'),
        network: z.string(),
        amount: microUsdText.describe('Atomic units of the asset, which are millionths of a dollar'),
        asset: evmAddress,
        payTo: evmAddress,
        maxTimeoutSeconds: z.int(),
        extra: z.record(z.string(), z.unknown()),
      }),
    ),
    extensions: z.record(z.string(), z.unknown()).optional().describe('Echo these unchanged in the payment'),
  })
  .register(documents, {
    name: 'PaymentRequired',
    example: {
      x402Version: 2,
      error: 'payment_required',
      resource: { url: 'https://shop.example/skills/x402-buyer/raw', mimeType: 'text/plain' },
      accepts: [
        {
          scheme: 'exact',
          network: 'eip155:8453',
          amount: '100000',
          asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
          payTo: '0x1111111111111111111111111111111111111402',
          maxTimeoutSeconds: 220,
          extra: { name: 'USD Coin', version: '2' },
        },
      ],
    },
  })
