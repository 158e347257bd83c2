import { type CallToolResult, McpServer } from '@modelcontextprotocol/server'
import { quoteWords, wordsRule } from '../core/player-words.ts'
import type { Dungeon, Joined, Refusal, Seen } from '../protocol/dungeon.ts'
import type { Characters } from './characters.ts'
import { actionInput, joinInput, lookInput } from './tool-schemas.ts'
import { toolServerIdentity } from './tool-server-identity.ts'

interface ToolServer {
  readonly dungeon: Dungeon
  readonly characters: Characters
  /** Whether tools list the argument `session`; only for callers whose connection does not remember a character. */
  readonly listsSession: boolean
  readonly gameUrl: string
}

const { name, title, version } = toolServerIdentity
const instructions = `Undercroft is a dungeon shared by people and programs. Call dungeon_join once, then dungeon_action with one key at a time; dungeon_look shows the whole known level and costs nothing. The world moves only when you act, so think as long as you like. Every observation ends with KEYS, the keys that work now. ${wordsRule}`

const hour = 3_600_000
const cacheHint = { ttlMs: hour, cacheScope: 'public' } as const
const cacheHints = { 'tools/list': cacheHint, 'server/discover': cacheHint }

/**
 * The three MCP tools, the same for every transport and protocol revision. They list no output schema: it would be
 * seven eighths of the list, and models read the text.
 */
export function makeToolServer({ dungeon, characters, listsSession, gameUrl }: ToolServer): McpServer {
  const listing = listsSession ? 'full' : 'brief'
  const how = listsSession
    ? '; pass the session from its answer with each call, or send it as Authorization: Bearer'
    : ''
  const nobody = fail(`not_joined: call dungeon_join first${how}`)
  const see = (seen: Seen | Refusal): CallToolResult => {
    if (seen.is === 'seen') characters.notePlay()
    return toSeen(seen, gameUrl)
  }
  const server = new McpServer({ name, title, version, websiteUrl: gameUrl }, { instructions, cacheHints })
  // Cancellations are ignored: calls take only a moment, and the library would never respond to a cancelled one.
  server.server.setNotificationHandler('notifications/cancelled', () => {})

  server.registerTool(
    'dungeon_join',
    {
      description: `Join the dungeon under a name: goes on with the life of that name, or begins a new one after death. Free. The answer has the token of your character. ${wordsRule}`,
      inputSchema: joinInput[listing],
      annotations: { destructiveHint: false, idempotentHint: true, openWorldHint: false },
    },
    async ({ name, mode, session }) => {
      const known = session === undefined ? characters.find(name) : { name, token: session }
      const joined = await dungeon.join({ name: known?.name ?? name, kind: 'agent', token: known?.token, mode })
      if (joined.is === 'refused') return toRefusal(joined)
      characters.keep(name, { name: joined.name, token: joined.token })
      return toJoined(joined, gameUrl)
    },
  )

  server.registerTool(
    'dungeon_look',
    {
      description: `Everything you know of this level, who is in view, what you carry and the keys that work now. Costs no turn. ${wordsRule}`,
      inputSchema: lookInput[listing],
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    async ({ session }) => {
      const token = session ?? characters.current()
      return token === undefined ? nobody : see(await dungeon.look(token, { full: true }))
    },
  )

  server.registerTool(
    'dungeon_action',
    {
      description: `Press one key and see what happens: north, southeast and so on to walk or attack, o to explore, g to fetch the nearest item, > and < for stairs, R to rest, S to search, f to shoot, 1 to 9, 0, - and = for the pack, . to wait. KEYS in every observation lists what works now and what it does. ${wordsRule}`,
      inputSchema: actionInput[listing],
      annotations: { destructiveHint: false, openWorldHint: false },
    },
    async ({ key, session }) => {
      const token = session ?? characters.current()
      return token === undefined ? nobody : see(await dungeon.act(token, key))
    },
  )
  return server
}

const fail = (text: string): CallToolResult => ({ content: [{ type: 'text', text }], isError: true })

function toRefusal({ code, message, keys, retryAfterMs }: Refusal): CallToolResult {
  const lines = [`${code}: ${message}`]
  if (keys) lines.push(`KEYS: ${keys.join(' ')}`)
  if (retryAfterMs !== undefined) lines.push(`RETRY: after ${retryAfterMs} ms`)
  if (code === 'dead' || code === 'not_joined' || code === 'life_lost') lines.push('NEXT: call dungeon_join')
  return fail(lines.join('\n'))
}

/** The text of an observation, and after a death what to do next. Deaths in a cup have no public page. */
function toText({ text, death }: Seen, gameUrl: string): string {
  if (!death) return text
  const card = death.mode === 'cup' ? [] : [`CARD: ${gameUrl}/death/${death.id}`]
  return [text, ...card, 'NEXT: call dungeon_join with your name for a new life.'].join('\n')
}

function toSeen(seen: Seen | Refusal, gameUrl: string): CallToolResult {
  if (seen.is === 'refused') return toRefusal(seen)
  const { observation, death } = seen
  return {
    content: [{ type: 'text', text: toText(seen, gameUrl) }],
    structuredContent: { ...observation, ...(death && { death }) },
  }
}

function toJoined(joined: Joined, gameUrl: string): CallToolResult {
  const { token, name, requested, isResumed, observation, death } = joined
  const lines = [`session: ${token} (the token of ${quoteWords(name)}: keep it to come back to this character)`]
  if (requested !== undefined) lines.push(`You are called ${quoteWords(name)} here; ${quoteWords(requested)} is taken.`)
  lines.push(isResumed ? 'Your life goes on.' : 'A new life begins.', '', toText(joined, gameUrl))
  return {
    content: [{ type: 'text', text: lines.join('\n') }],
    structuredContent: {
      session: token,
      name,
      resumed: isResumed,
      ...(requested !== undefined && { requested }),
      ...observation,
      ...(death && { death }),
    },
  }
}
