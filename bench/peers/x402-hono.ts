// The reference for Hono: the x402 project's own middleware with one paid route.
import { readFile } from 'node:fs/promises'
import { serve } from '@hono/node-server'
import { HTTPFacilitatorClient, x402ResourceServer } from '@x402/core/server'
import { ExactEvmScheme } from '@x402/evm/exact/server'
import { paymentMiddleware } from '@x402/hono'
import { Hono } from 'hono'
import { network } from '../../src/core/chain-constants.ts'
import { referenceOptions } from './reference-options.ts'
import { servePeer } from './serve-peer.ts'

await servePeer((options) => {
  const { path, facilitatorUrl, file, description, mimeType, ...terms } = referenceOptions.parse(options)
  const facilitator = new HTTPFacilitatorClient({ url: facilitatorUrl })
  const resources = new x402ResourceServer(facilitator).register(network, new ExactEvmScheme())
  const routes = {
    [`GET ${path}`]: { accepts: { scheme: 'exact', network, ...terms }, description, mimeType },
  } as const
  const app = new Hono()
  app.use(paymentMiddleware(routes, resources))
  app.get(path, async (context) => context.text(await readFile(file, 'utf8')))
  return new Promise((resolve) => {
    serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) => resolve(port))
  })
})
