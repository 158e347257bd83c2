import { join } from 'node:path'
import { z } from 'zod'
import { buildFiles } from '../src/storage/build-folder.ts'
import { decodeHeader } from '../tests/support/stock-client.ts'
import { fetchPeer } from './fetch-peer.ts'
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

const onHono = new URL('peers/x402-hono.ts', import.meta.url)
const onExpress = new URL('peers/x402-express.ts', import.meta.url)

interface Reference {
  readonly program: URL
  readonly packages?: string
}

/** Starts a reference shop: the same product on the terms that our site asks, with the same facilitator. */
export async function startReference(
  bench: Bench,
  ours: Server,
  { program, packages }: Reference = { program: onHono },
): Promise<Server> {
  const quote = await fetch(ours.origin + skillPath)
  await quote.arrayBuffer()
  const { resource, accepts } = termsSchema.parse(decodeHeader(quote.headers.get('payment-required')))
  const [{ amount, asset, extra, payTo, maxTimeoutSeconds }] = accepts
  return startPeer(bench, program, {
    ...(packages !== undefined && { packages }),
    path: skillPath,
    price: { amount, asset, extra },
    payTo,
    maxTimeoutSeconds,
    ...resource,
    facilitatorUrl: bench.money.facilitatorUrl,
    file: join(buildFiles(bench.build).privateTexts, 'skill-x402-seller.md'),
  })
}

/** Starts the reference shop for Express, whose packages are fetched for the bench; or says why it is not available. */
export async function startExpressReference(bench: Bench, ours: Server): Promise<Server | string> {
  const fetched = fetchPeer('x402-express', '@x402/express')
  if (fetched.is === 'missing') return fetched.why
  return startReference(bench, ours, { program: onExpress, packages: fetched.packages })
}
