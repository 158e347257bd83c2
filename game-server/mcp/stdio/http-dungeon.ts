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

/** The game through its tools over HTTP, for networks that let no WebSocket through. */
export function makeHttpDungeon(gameUrl: string): Dungeon {
  async function call(name: string, args: object): Promise<z.output<typeof answerSchema>['result']> {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } })
    const headers = { accept: 'application/json, text/event-stream' }
    try {
      const { json } = await fetchJson(`${gameUrl}/mcp`, { method: 'POST', body, headers, deadlineMs, maxBytes })
      return answerSchema.parse(json).result
    } catch (cause) {
      throw new Unreachable(`no answer from ${gameUrl}`, { cause })
    }
  }

  async function see(name: string, args: object): Promise<Seen | Refusal> {
    const { isError, content, structuredContent } = await call(name, args)
    const [{ text }] = content
    if (isError) return readRefusal(text)
    const { death, ...observation } = seenSchema.parse(structuredContent)
    return { is: 'seen', text: withoutSteps(text), observation, ...(death && { death }) }
  }

  return {
    look: (session) => see('dungeon_look', { session }),
    act: (session, key) => see('dungeon_action', { session, key }),
    async join({ name, mode, token }): Promise<Joined | Refusal> {
      const { isError, content, structuredContent } = await call('dungeon_join', { name, mode, session: token })
      const [{ text }] = content
      if (isError) return readRefusal(text)
      const { session, name: given, resumed, requested, death, ...observation } = joinedSchema.parse(structuredContent)
      return {
        is: 'seen',
        // What stands before the first empty line is said again by the tools of this program.
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

/** The tools of this program say again what to do after a death. */
const withoutSteps = (text: string): string => text.replace(/(\nCARD: .*)?\nNEXT: .*$/, '')

/** What the tools make of a refusal: its code and message, then lines that begin with what they are about. */
function readRefusal(text: string): Refusal {
  const [first = '', ...lines] = text.split('\n')
  const [, code, message = first] = /^(\w+): (.*)$/.exec(first) ?? []
  const keys = lines
    .find((line) => line.startsWith('KEYS: '))
    ?.split(' ')
    .slice(1)
  return { is: 'refused', code: refusalCode.parse(code), message, ...(keys && { keys }) }
}
