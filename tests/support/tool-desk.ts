import { z } from 'zod'
import { toJsonSchema } from '../../src/core/json-schema.ts'
import { type McpDeps, makeMcp } from '../../src/mcp/make-mcp.ts'

export const deskUrl = 'http://press.test'

/** The tools of a press that has published nothing, with what a test adds. `noted` is what the operator would read. */
export function openDesk(more: Partial<McpDeps> = {}) {
  const noted: unknown[] = []
  const mcp = makeMcp({
    identity: { name: 'press', title: 'Press', version: '1.0.0', description: 'A press', baseUrl: deskUrl },
    gameUrl: 'http://game.test',
    offers: [],
    library: { posts: [], skills: [], find: async () => undefined },
    search: () => ({ query: '', total: 0, results: [] }),
    searchTranscripts: () => ({ ok: true, query: '', count: 0, hits: [] }),
    statistics: () => Promise.reject(new Error('a disk that fails')),
    owned: { toMessage: () => '', listFor: () => Promise.reject(new Error('nobody owns anything')) },
    schemas: { search: z.object(), transcripts: z.object(), catalog: z.object(), statistics: z.object() },
    toJsonSchema: (schema) => ({ ...toJsonSchema(schema) }),
    sell: () => () => Promise.reject(new Error('nothing is for sale')),
    report: (error) => noted.push(String(error)),
    ...more,
  })
  const send = (body: string, headers: Record<string, string> = {}) =>
    mcp(
      new Request(`${deskUrl}/api/mcp`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: '*/*', ...headers },
        body,
      }),
    )
  return { noted, send, post: (message: unknown, headers = {}) => send(JSON.stringify(message), headers) }
}
