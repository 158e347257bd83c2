// The least a Node server can do: one constant answer to everything.
import { once } from 'node:events'
import { createServer } from 'node:http'
import { z } from 'zod'
import { servePeer } from './serve-peer.ts'

const optionsSchema = z.object({ status: z.int(), headers: z.record(z.string(), z.string()), body: z.string() })

await servePeer(async (options) => {
  const { status, headers, body } = optionsSchema.parse(options)
  const server = createServer((_request, response) => {
    response.writeHead(status, headers).end(body)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return typeof address === 'object' && address ? address.port : 0
})
