import { z } from 'zod'
import { parseJson } from './parse-json.ts'
import type { Answered } from './seen.ts'

const termsSchema = z.object({
  x402Version: z.literal(2),
  resource: z.object({ url: z.string() }),
  accepts: z
    .array(
      z.object({
        scheme: z.string().min(1),
        network: z.string().regex(/^[-a-z0-9]{3,8}:[-_a-zA-Z0-9]{1,32}$/),
        asset: z.string().min(1),
        amount: z.string().regex(/^\d+$/),
        payTo: z.string().min(1),
        maxTimeoutSeconds: z.number(),
      }),
    )
    .min(1),
})

/** The first payment option of a 402 response (x402 version 2); undefined when a client could not pay it. */
export function findTerms({ fetched }: Answered): z.output<typeof termsSchema>['accepts'][number] | undefined {
  const header = fetched.headers.get('payment-required') ?? ''
  const read = termsSchema.safeParse(parseJson(Buffer.from(header, 'base64').toString('utf8')))
  return read.success ? read.data.accepts[0] : undefined
}
