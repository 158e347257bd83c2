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

/**
 * The body of the response. Undefined where the message is not plain or the sender is over its limit; then `Mcp`
 * handles the request.
 */
export type AnswerPlainly = (headers: IncomingHttpHeaders, body: string, asking: Asking) => Promise<Buffer | undefined>

interface Options {
  readonly baseUrl: string
  /** The free tools. */
  readonly tools: readonly Tool[]
  /** The complete handler; called once per era for the list of tools and for the members that end a result. */
  readonly mcp: Mcp
}

/** Free tools answer from local data, so there is nothing to abort. */
const never = new AbortController().signal

const listed = z.object({ result: z.looseObject({ tools: z.array(z.unknown()), _meta: z.unknown().optional() }) })

/**
 * Handles the messages that agents send most: calls of free tools, and listing the tools. The responses are those of
 * the MCP library, which takes five times as long because it makes a server with all tools for each request.
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
    // After a failure the next request tries again.
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
    // `take` counts nothing when the sender has to wait, so `Mcp` can count the request.
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
