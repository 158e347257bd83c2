import { z } from 'zod'
import { fetchJson } from '../../../src/http/fetch-json.ts'
import type { Dungeon, Joined, Refusal, Seen } from '../../protocol/dungeon.ts'
import { joinedSchema, seenSchema } from '../tool-schemas.ts'
import { refusalCode } from './server-message.ts'
import { Unreachable } from './unreachable.ts'

const deadlineMs = 20_000
const maxBytes = 1024 * 1024

const answerSchema = z.object({
  result: z.object({
    content: z.tuple([z.object({ text: z.string() })]),
    structuredContent: z.unknown().optional(),
    isError: z.boolean().optional(),
  }),
})

type Result = z.output<typeof answerSchema>['result']

/** The problem document with status 429, for addresses that send too many requests. */
const problemSchema = z.object({ status: z.literal(429), detail: z.string() })

/** The game through its MCP tools over HTTP, for networks that block WebSockets. */
export function makeHttpDungeon(gameUrl: string): Dungeon {
  async function call(name: string, args: object): Promise<Result | Refusal> {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } })
    const headers = { accept: 'application/json, text/event-stream' }
    try {
      const { json } = await fetchJson(`${gameUrl}/mcp`, { method: 'POST', body, headers, deadlineMs, maxBytes })
      const { data: problem } = problemSchema.safeParse(json)
      if (problem) return { is: 'refused', code: 'rate_limited', message: problem.detail }
      const { result } = answerSchema.parse(json)
      return result.isError ? readRefusal(result.content[0].text) : result
    } catch (cause) {
      throw new Unreachable(`no answer from ${gameUrl}`, { cause })
    }
  }

  async function see(name: string, args: object): Promise<Seen | Refusal> {
    const result = await call(name, args)
    if ('is' in result) return result
    const { content, structuredContent } = result
    const [{ text }] = content
    const { death, ...observation } = seenSchema.parse(structuredContent)
    return { is: 'seen', text: withoutSteps(text), observation, ...(death && { death }) }
  }

  return {
    look: (session) => see('dungeon_look', { session }),
    act: (session, key) => see('dungeon_action', { session, key }),
    async join({ name, mode, token }): Promise<Joined | Refusal> {
      const result = await call('dungeon_join', { name, mode, session: token })
      if ('is' in result) return result
      const { content, structuredContent } = result
      const [{ text }] = content
      const { session, name: given, resumed, requested, death, ...observation } = joinedSchema.parse(structuredContent)
      return {
        is: 'seen',
        // The part before the first empty line is dropped, because this program's own tools add it again.
        text: withoutSteps(text.slice(text.indexOf('\n\n') + 2)),
        observation,
        token: session,
        name: given,
        isResumed: resumed,
        ...(requested !== undefined && { requested }),
        ...(death && { death }),
      }
    },
  }
}

/** Removes the hints after a death, which this program's own tools add again. */
const withoutSteps = (text: string): string => text.replace(/(\nCARD: .*)?\nNEXT: .*$/, '')

/** Parses the text of a refusal by the tools: `code: message`, then lines such as `KEYS: …` and `RETRY: …`. */
function readRefusal(text: string): Refusal {
  const [first = '', ...lines] = text.split('\n')
  const [, code, message = first] = /^(\w+): (.*)$/.exec(first) ?? []
  const keys = lines
    .find((line) => line.startsWith('KEYS: '))
    ?.split(' ')
    .slice(1)
  const [, waitMs] = /^RETRY: after (\d+) ms$/m.exec(text) ?? []
  return {
    is: 'refused',
    code: refusalCode.parse(code),
    message,
    ...(keys && { keys }),
    ...(waitMs !== undefined && { retryAfterMs: Number(waitMs) }),
  }
}
