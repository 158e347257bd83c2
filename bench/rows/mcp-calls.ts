import { z } from 'zod'
import { measureLoad } from '../load.ts'
import type { Row, Sample } from '../row.ts'
import type { Server } from '../server.ts'
import { startOurSite } from '../start-our-site.ts'
import { startPeer } from '../start-peer.ts'

const peer = "the SDK's server"
const path = '/mcp'
const json = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' }
const revision = '2026-07-28'
const envelope = {
  'io.modelcontextprotocol/protocolVersion': revision,
  'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
}
const toBody = (method: string, params: object): string => JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })

/** The tool that is called: it says what is for sale, and needs nothing but memory for it. */
const called = { name: 'list_products', arguments: { lane: 'skill' } }
const asked = {
  'tools/call, 2025': {
    headers: { ...json, 'Mcp-Protocol-Version': '2025-11-25' },
    body: toBody('tools/call', called),
  },
  'tools/call, 2026': {
    headers: { ...json, 'Mcp-Protocol-Version': revision, 'Mcp-Method': 'tools/call', 'Mcp-Name': called.name },
    body: toBody('tools/call', { ...called, _meta: envelope }),
  },
  'tools/list, 2025': { headers: { ...json, 'Mcp-Protocol-Version': '2025-11-25' }, body: toBody('tools/list', {}) },
}
type Asked = keyof typeof asked
const kinds: readonly Asked[] = ['tools/call, 2025', 'tools/call, 2026', 'tools/list, 2025']
const nameOf = (kind: Asked) => ({ calls: `${kind}: answers`, cost: `${kind}: server CPU` })

const answered = z.object({
  result: z.object({
    tools: z
      .array(z.object({ name: z.string(), description: z.string(), inputSchema: z.record(z.string(), z.json()) }))
      .default([]),
    content: z.array(z.object({ text: z.string() })).default([]),
  }),
})

/** Causes for calls that miss the ratio. */
const whereCallsGo =
  "Most of a call is Node's HTTP server and the system, which both have; the load, too, comes from this machine and takes its share of two cores. Tried, in turns in one process on a slow machine, 2026-11-26: the object of an answer written from its text, and not anew, takes a quarter off what is ours of a call; the list of products made once for each kind, a third with the former; its answer kept as it is written, which is what happens now, four fifths: 9 µs in place of 46. Of the whole program that is 0.72 of the processor time of a call as it was, and a quarter more answers; the list of tools, which none of this touches, stayed at 0.99."

/** The cost of a tool call. */
export const mcpCalls: Row = {
  title: 'Calls of tools',
  meaning: `32 connections call a tool that answers from memory (\`${called.name}\`), by the revisions of 2025 and of 2026 of the protocol, and ask for the list of tools. Ours is the whole site program at \`${path}\`; *${peer}* is \`createMcpHandler\` of \`@modelcontextprotocol/server\` on \`node:http\` by \`@modelcontextprotocol/node\`, with tools of the same names, descriptions and schemas that all answer with our text.`,
  measures: kinds.flatMap((kind) => [
    { name: nameOf(kind).calls, unit: '/s', digits: 0 },
    { name: nameOf(kind).cost, unit: 'µs', digits: 0 },
  ]),
  goals: kinds.flatMap((kind) => [
    { measure: nameOf(kind).calls, peer, is: 'at least', ratio: 3 },
    { measure: nameOf(kind).cost, peer, is: 'at most', ratio: 0.33 },
  ]),
  causes: kinds
    .filter((kind) => kind.startsWith('tools/call'))
    .flatMap((kind) =>
      [nameOf(kind).calls, nameOf(kind).cost].map((measure) => ({
        measure,
        because: whereCallsGo,
        profile: {
          of: 'calls of both revisions at the site, its start among them, by --cpu-prof, on a slow machine, 2026-11-26',
          percent: {
            "Node's HTTP server, sockets, streams": 30,
            'writing to sockets': 17,
            'our code': 22,
            'schemas (Zod)': 11,
            'garbage collection': 3,
            'compiling our code': 3,
            'the rest': 14,
          },
        },
      })),
    ),
  async start(bench) {
    const ours = await startOurSite(bench)
    const { tools } = await ask(ours, 'tools/list, 2025')
    const [said] = (await ask(ours, 'tools/call, 2025')).content
    const program = new URL('../peers/mcp-sdk.ts', import.meta.url)
    const theirs = await startPeer(bench, program, { tools, text: said?.text ?? '' })
    const measure = (server: Server) => async (): Promise<Sample> => {
      const sample: Record<string, number> = {}
      for (const kind of kinds) {
        const load = await measureLoad(server, { path, status: 200, seconds: bench.seconds, ...asked[kind] })
        sample[nameOf(kind).calls] = load['answers'] ?? Number.NaN
        sample[nameOf(kind).cost] = load['server CPU per answer'] ?? Number.NaN
      }
      return sample
    }
    return { ours: measure(ours), peers: { [peer]: measure(theirs) } }
  },
}

async function ask({ origin }: Server, kind: Asked) {
  const answer = await fetch(origin + path, { method: 'POST', ...asked[kind] })
  return answered.parse(await answer.json()).result
}
