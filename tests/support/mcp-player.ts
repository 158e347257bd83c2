import { Client, type ClientOptions, type Transport } from '@modelcontextprotocol/client'
import { z } from 'zod'
import { joinedSchema, seenSchema } from '../../game-server/mcp/tool-schemas.ts'

/** `legacy`: the protocol revisions of 2025; `modern`: that of 2026. */
export type Era = 'legacy' | 'modern'

const modes: Record<Era, NonNullable<ClientOptions['versionNegotiation']>> = {
  legacy: { mode: 'legacy' },
  modern: { mode: { pin: '2026-07-28' } },
}

const answerSchema = z.object({
  content: z.tuple([z.object({ type: z.literal('text'), text: z.string() })]),
  structuredContent: z.unknown().optional(),
  isError: z.boolean().default(false),
})

export type McpPlayer = Awaited<ReturnType<typeof connectPlayer>>

/** The stock MCP client over a transport; it validates every result against the announced schema. */
export async function connectPlayer(transport: Transport, era: Era) {
  const client = new Client({ name: 'a-player', version: '1.0.0' }, { versionNegotiation: modes[era] })
  await client.connect(transport)

  const call = async (name: string, args: Record<string, unknown>) => {
    const { content, structuredContent, isError } = answerSchema.parse(await client.callTool({ name, arguments: args }))
    return { text: content[0].text, data: structuredContent, isError }
  }
  /** Calls a tool that has to fail, and returns its error text. */
  const fail = async (name: string, args: Record<string, unknown>): Promise<string> => {
    const { text, isError } = await call(name, args)
    if (!isError) throw new Error(`${name} was expected to refuse, and answered: ${text}`)
    return text
  }
  const succeed = async (name: string, args: Record<string, unknown>) => {
    const { text, data, isError } = await call(name, args)
    if (isError) throw new Error(text)
    return { text, data }
  }
  return {
    client,
    fail,
    async join(args: { name: string; session?: string; mode?: string }) {
      const { text, data } = await succeed('dungeon_join', args)
      return { text, ...joinedSchema.parse(data) }
    },
    async look(args: { session?: string } = {}) {
      const { text, data } = await succeed('dungeon_look', args)
      return { text, ...seenSchema.parse(data) }
    },
    async act(key: string, args: { session?: string } = {}) {
      const { text, data } = await succeed('dungeon_action', { key, ...args })
      return { text, ...seenSchema.parse(data) }
    },
    close: () => client.close(),
  }
}

const steps = ['.', 'north', 'east', 'south', 'west']

/** Goes downstairs if possible, and takes a random step now and then, so that nothing blocks it for good. */
function recklessKey(seen: { keys: { key: string }[] }, pressed: number): string {
  const can = (wanted: string): boolean => seen.keys.some(({ key }) => key === wanted)
  if (pressed % 3 !== 0 && can('>')) return '>'
  return can('o') ? 'o' : (steps[pressed % steps.length] ?? '.')
}

/**
 * Goes down recklessly, life after life, until a life ends after this many keys in all.
 *
 * @returns the result of the last key, which is a death
 */
export async function playToDeath(player: McpPlayer, name: string, keys: number, args: { session?: string } = {}) {
  let seen = await player.look(args)
  for (let pressed = 1; pressed < 10_000; pressed++) {
    seen = await player.act(recklessKey(seen, pressed), args)
    if (seen.death && pressed >= keys) return { ...seen, death: seen.death }
    if (seen.death) seen = await player.join({ name, ...args })
  }
  throw new Error('this character does not want to die')
}
