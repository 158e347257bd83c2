import type { IncomingHttpHeaders } from 'node:http'
import { z } from 'zod'
import type { CallerLimits } from '../http/caller-limits.ts'
import type { Mcp } from './make-mcp.ts'
import { type Era, modernRevision, type PlainMessage, readPlainMessage } from './plain-message.ts'
import type { Tool } from './tool.ts'
import { writeResult } from './write-result.ts'

interface Asking {
  readonly requestId: string
  readonly limits: CallerLimits
}

/** The body of the answer; undefined where the message is not plain, or its sender has to wait, and `Mcp` answers. */
export type AnswerPlainly = (headers: IncomingHttpHeaders, body: string, asking: Asking) => Promise<Buffer | undefined>

interface Options {
  readonly baseUrl: string
  /** Those that cost nothing. */
  readonly tools: readonly Tool[]
  /** Answers everything; asked once for the list of tools, and for how a result of each era ends. */
  readonly mcp: Mcp
}

/** As long as free tools answer from what is here, there is nothing to break off. */
const never = new AbortController().signal

const listed = z.object({ result: z.looseObject({ tools: z.array(z.unknown()), _meta: z.unknown().optional() }) })

/**
 * Answers what agents send most, calls of free tools and the question which tools there are, as the protocol's library
 * does, which makes a server of all tools for each request: that takes five times as long as such an answer.
 */
export function makePlainAnswers({ baseUrl, tools, mcp }: Options): AnswerPlainly {
  const byName = new Map(tools.map((tool) => [tool.name, tool]))
  const lists: Partial<Record<Era, Promise<{ result: string; ending: string }>>> = {}

  async function readList(era: Era) {
    const answer = await mcp(toListRequest(baseUrl, era))
    const { result } = listed.parse(await answer.json())
    const ending = era === 'modern' ? { resultType: 'complete', _meta: result._meta } : {}
    return { result: JSON.stringify(result), ending: JSON.stringify(ending).slice(1, -1) }
  }

  function listOf(era: Era) {
    const known = lists[era]
    if (known) return known
    const list = readList(era)
    lists[era] = list
    // What failed is tried again by the next who asks.
    list.catch(() => {
      delete lists[era]
    })
    return list
  }

  async function toResult({ era, asks }: PlainMessage, tool: Tool | undefined, { requestId, limits }: Asking) {
    const { result, ending } = await listOf(era)
    if (asks.is === 'list' || !tool) return result
    const call = { arguments: asks.given, payment: undefined, signal: never, requestId, caller: limits.caller }
    return writeResult(await tool.call(call), ending)
  }

  return async (headers, body, asking) => {
    const message = readPlainMessage(headers, body)
    if (!message) return undefined
    const { id, asks } = message
    const tool = asks.is === 'call' ? byName.get(asks.name) : undefined
    if (asks.is === 'call' && !tool) return undefined
    // Nothing is counted where somebody has to wait.
    if ((await asking.limits.take({ free: 1, quotes: 0, payments: [] })) > 0) return undefined
    const result = await toResult(message, tool, asking)
    return Buffer.from(`{"result":${result},"jsonrpc":"2.0","id":${JSON.stringify(id)}}`)
  }
}

function toListRequest(baseUrl: string, era: Era): Request {
  const meta = {
    'io.modelcontextprotocol/protocolVersion': modernRevision,
    'io.modelcontextprotocol/clientInfo': { name: 'here', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  const isModern = era === 'modern'
  return new Request(`${baseUrl}/mcp`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json',
      ...(isModern && { 'mcp-protocol-version': modernRevision, 'mcp-method': 'tools/list' }),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: isModern ? { _meta: meta } : {} }),
  })
}
