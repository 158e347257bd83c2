// The least a Node server can do: one constant answer to everything.
import { once } from 'node:events'
import { createServer } from 'node:http'
import { z } from 'zod'
import { servePeer } from './serve-peer.ts'

const optionsSchema = z.object({ status: z.int(), headers: z.record(z.string(), z.string()), body: z.string() })
/** Longest text that is worth writing together with its headers, in characters. */
const maxJoined = 2048

await servePeer(async (options) => {
  const { status, headers, body: text } = optionsSchema.parse(options)
  // The form that Node sends fastest: a short text is sent with its headers, a long one is encoded only once.
  const body = text.length < maxJoined ? text : Buffer.from(text)
  const server = createServer((_request, response) => {
    response.writeHead(status, headers).end(body)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return typeof address === 'object' && address ? address.port : 0
})
