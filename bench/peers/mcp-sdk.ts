// The SDK's own server on plain `node:http`, set up as in its manual: the given tools, each with one answer.
import { once } from 'node:events'
import { createServer } from 'node:http'
import { toNodeHandler } from '@modelcontextprotocol/node'
import { createMcpHandler, fromJsonSchema, McpServer } from '@modelcontextprotocol/server'
import { z } from 'zod'
import { servePeer } from './serve-peer.ts'

const optionsSchema = z.object({
  tools: z.array(z.object({ name: z.string(), description: z.string(), inputSchema: z.record(z.string(), z.json()) })),
  /** The answer of each tool. */
  text: z.string(),
})

await servePeer(async (options) => {
  const { tools, text } = optionsSchema.parse(options)
  // Schemas are compiled once, as in a hand-written server.
  const ready = tools.map(({ name, description, inputSchema }) => ({
    name,
    about: { description, inputSchema: fromJsonSchema<Record<string, unknown>>(inputSchema) },
  }))
  const handler = createMcpHandler(() => {
    const server = new McpServer({ name: 'plain', version: '1.0.0' })
    for (const { name, about } of ready)
      server.registerTool(name, about, async () => ({ content: [{ type: 'text', text }] }))
    return server
  })
  const answer = toNodeHandler(handler)
  const server = createServer((request, response) => {
    const { method = 'GET', url = '/' } = request
    // Changes nothing at run time: the SDK's types require both fields.
    void answer(Object.assign(request, { method, url }), response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return typeof address === 'object' && address ? address.port : 0
})
