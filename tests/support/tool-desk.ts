import { network } from '../../src/core/chain-constants.ts'
import { toJsonSchema } from '../../src/core/json-schema.ts'
import type { CallerLimits } from '../../src/http/caller-limits.ts'
import { makeFreeTools } from '../../src/mcp/free-tools.ts'
import { type McpDeps, makeMcp } from '../../src/mcp/make-mcp.ts'
import { makePlainAnswers } from '../../src/mcp/plain-answers.ts'
import { toRequirements } from '../../src/payments/wire/requirements.ts'

export const deskUrl = 'http://press.test'

interface DeskOptions extends Partial<McpDeps> {
  readonly query?: string
  /** The limits that calls count against; none when absent. */
  readonly limits?: CallerLimits
}

/** The tools of an empty site, with what a test adds. `noted` has the errors reported to the operator. */
export function openDesk({ query = '', limits, ...more }: DeskOptions = {}) {
  const noted: unknown[] = []
  const deps: McpDeps = {
    identity: { name: 'press', title: 'Press', version: '1.0.0', description: 'A press', baseUrl: deskUrl },
    gameUrl: 'http://game.test',
    offers: [],
    library: { posts: [], skills: [], find: async () => undefined },
    search: () => ({ query: '', total: 0, results: [] }),
    searchTranscripts: () => ({ ok: true, query: '', count: 0, hits: [] }),
    statistics: () => Promise.reject(new Error('a disk that fails')),
    owned: { toMessage: () => '', listFor: () => Promise.reject(new Error('nobody owns anything')) },
    toJsonSchema: (schema) => ({ ...toJsonSchema(schema) }),
    terms: ({ price }) =>
      toRequirements(
        { network, payTo: `0x${'1'.repeat(40)}`, asset: `0x${'2'.repeat(40)}` },
        typeof price === 'bigint' ? price : price.from,
        220,
      ),
    readPurchase: async () => undefined,
    sell: () => () => Promise.reject(new Error('nothing is for sale')),
    report: (error) => noted.push(String(error)),
    ...more,
  }
  const mcp = makeMcp(deps)
  const answerPlainly = makePlainAnswers({
    baseUrl: deskUrl,
    tools: makeFreeTools(deps, { ...deps, baseUrl: deskUrl }),
    mcp,
  })
  const send = (body: string, headers: Record<string, string> = {}) =>
    mcp(
      new Request(`${deskUrl}/api/mcp${query}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body,
      }),
      limits,
    )
  return {
    noted,
    mcp,
    send,
    answerPlainly,
    post: (message: unknown, headers = {}) => send(JSON.stringify(message), headers),
  }
}
