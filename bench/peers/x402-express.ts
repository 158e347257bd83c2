// The reference for Express: the x402 project's own middleware with one paid route.
import { readFile } from 'node:fs/promises'
import { createServer, type RequestListener } from 'node:http'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { z } from 'zod'
import { network } from '../../src/core/chain-constants.ts'
import { referenceOptions } from './reference-options.ts'
import { servePeer } from './serve-peer.ts'

interface ExpressResponse {
  type(mime: string): ExpressResponse
  send(body: string): void
}
interface ExpressApp extends RequestListener {
  use(middleware: object): void
  get(path: string, answer: (request: object, response: ExpressResponse) => Promise<void>): void
}
interface ResourceServer {
  register(network: string, scheme: object): ResourceServer
}
/** The part of the packages that is used here; they are fetched when the benchmark runs. */
interface Packages {
  readonly express: () => ExpressApp
  readonly paymentMiddleware: (routes: object, resources: object) => object
  readonly HTTPFacilitatorClient: new (options: { url: string }) => object
  readonly x402ResourceServer: new (facilitator: object) => ResourceServer
  readonly ExactEvmScheme: new () => object
}

async function load(folder: string): Promise<Packages> {
  const from = (entry: string): Promise<object> => import(pathToFileURL(join(folder, entry)).href)
  const { default: express } = z.looseObject({ default: z.unknown() }).parse(await from('express/index.js'))
  const parts = [
    { express },
    await from('@x402/core/dist/esm/server/index.mjs'),
    await from('@x402/evm/dist/esm/exact/server/index.mjs'),
    await from('@x402/express/dist/esm/index.mjs'),
  ]
  return z.custom<Packages>((value) => typeof value === 'object').parse(Object.assign({}, ...parts))
}

await servePeer(async (options) => {
  const { packages = '', path, facilitatorUrl, file, description, mimeType, ...terms } = referenceOptions.parse(options)
  const { express, paymentMiddleware, HTTPFacilitatorClient, x402ResourceServer, ExactEvmScheme } = await load(packages)
  const facilitator = new HTTPFacilitatorClient({ url: facilitatorUrl })
  const resources = new x402ResourceServer(facilitator).register(network, new ExactEvmScheme())
  const routes = {
    [`GET ${path}`]: { accepts: { scheme: 'exact', network, ...terms }, description, mimeType },
  }
  const app = express()
  app.use(paymentMiddleware(routes, resources))
  app.get(path, async (_request, response) => response.type('text/plain').send(await readFile(file, 'utf8')))
  const server = createServer(app)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return typeof address === 'object' && address ? address.port : 0
})
