import { join } from 'node:path'
import { z } from 'zod'
import { buildFiles } from '../src/storage/build-folder.ts'
import { decodeHeader } from '../tests/support/stock-client.ts'
import type { Bench } from './row.ts'
import type { Server } from './server.ts'
import { startPeer } from './start-peer.ts'

/** The product by which shops are compared: a fixed price, no input, and work that is one small file read. */
export const skillPath = '/skills/x402-seller/raw'

const termsSchema = z.object({
  resource: z.object({ description: z.string(), mimeType: z.string() }),
  accepts: z.tuple([
    z.object({
      amount: z.string(),
      asset: z.string(),
      payTo: z.string(),
      maxTimeoutSeconds: z.int(),
      extra: z.record(z.string(), z.string()),
    }),
  ]),
})

/** Starts the reference shop: the same product on the terms that our site asks, with the same facilitator. */
export async function startReference(bench: Bench, ours: Server): Promise<Server> {
  const quote = await fetch(ours.origin + skillPath)
  await quote.arrayBuffer()
  const { resource, accepts } = termsSchema.parse(decodeHeader(quote.headers.get('payment-required')))
  const [{ amount, asset, extra, payTo, maxTimeoutSeconds }] = accepts
  return startPeer(bench, new URL('peers/x402-hono.ts', import.meta.url), {
    path: skillPath,
    price: { amount, asset, extra },
    payTo,
    maxTimeoutSeconds,
    ...resource,
    facilitatorUrl: bench.money.facilitatorUrl,
    file: join(buildFiles(bench.build).privateTexts, 'skill-x402-seller.md'),
  })
}
