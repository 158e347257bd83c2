import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { itemKinds } from '../../game-server/core/items/kinds.ts'
import { mostPlayers } from '../../game-server/core/make-player.ts'
import { monsterKinds } from '../../game-server/core/monsters/kinds.ts'
import { readKey } from '../../game-server/core/read-key.ts'
import { makeDocumentRoutes } from '../../game-server/mcp/serve-documents.ts'
import { maxKeys, maxRunMs } from '../../game-server/protocol/run-file.ts'
import { playerNamePattern } from '../../src/core/player-name.ts'
import type { Route } from '../../src/http/route.ts'

const gameUrl = 'https://dungeon.example'
const wsUrl = 'wss://dungeon.example/ws'
const routes = makeDocumentRoutes({ gameUrl, wsUrl })

async function get(path: Route['path']): Promise<Response> {
  const handle = routes.find((route) => route.path === path)?.handlers.GET
  if (!handle) throw new Error(`${path} is not served`)
  return handle(new Request(gameUrl + path), '', '')
}

/** The fields that every access descriptor has, with links under every promised name. */
const descriptorSchema = z.object({
  name: z.string(),
  title: z.literal('Undercroft'),
  description: z.string().min(20),
  gate: z.literal(false),
  free_to_play: z.literal(true),
  pay_to_win: z.literal(false),
  start_here: z.array(z.string()).min(4),
  links: z.object(
    Object.fromEntries(
      ['skill_md', 'mcp', 'mcp_html', 'agent', 'agents_md', 'llms', 'ws', 'play', 'store'].map((name) => [
        name,
        z.url(),
      ]),
    ),
  ),
  cursor_config: z.object({
    mcpServers: z.object({
      dungeon: z.object({
        command: z.literal('npx'),
        args: z.tuple([z.literal('-y'), z.literal(`${gameUrl}/dungeon-mcp-1.0.0.tgz`)]),
        env: z.strictObject({ DUNGEON_WS_URL: z.literal(wsUrl), DUNGEON_HTTP_URL: z.literal(gameUrl) }),
      }),
    }),
  }),
  quick_ws: z.tuple([
    z.strictObject({ type: z.literal('join'), name: z.string(), kind: z.literal('agent') }),
    z.strictObject({ type: z.literal('input'), key: z.string() }),
  ]),
  store: z.strictObject({
    payment: z.literal('x402'),
    catalog: z.literal(`${gameUrl}/api/store`),
    unlock: z.literal(`${gameUrl}/api/store/unlock`),
  }),
})

describe('the descriptors', () => {
  it.each([
    ['/api/agent', 'agent', 'agents.md'],
    ['/api/skill', 'skill', 'skill'],
  ] as const)('%s tells a program how to begin, its own door first', async (path, name, first) => {
    const response = await get(path)
    expect(response.headers.get('content-type')).toMatch(/^application\/json/)
    const descriptor = descriptorSchema.parse(await response.json())
    expect(descriptor.name).toBe(name)
    expect(descriptor.start_here[0]).toContain(`${gameUrl}/${first}`)
  })
})

describe('the texts for agents', () => {
  it.each([
    ['/skill', 'text/markdown'],
    ['/agents.md', 'text/markdown'],
    ['/llms.txt', 'text/plain'],
  ] as const)('%s carries the addresses of this installation and no gap', async (path, type) => {
    const response = await get(path)
    expect(response.headers.get('content-type')).toBe(`${type}; charset=utf-8`)
    const text = await response.text()
    expect(text).toContain(gameUrl)
    expect(text).not.toMatch(/\{(game_url|ws_url|bundle)\}/)
  })

  it('states the limits that the game enforces', async () => {
    const text = await (await get('/agents.md')).text()
    expect(text).toContain(`at most ${maxKeys} keys in ${maxRunMs / 3_600_000} hours`)
    expect(text).toContain(`for up to ${mostPlayers}, people and agents`)
  })

  it('teaches the game as a skill that any agent can install', async () => {
    const [, matter = '', body] = (await (await get('/skill')).text()).split(/^---$/m)
    const fields = matter.trim().split('\n')
    const read = fields.map((line) => {
      const [, key = '', value = ''] = /^(\w+): (.+)$/.exec(line) ?? []
      return [key, value.startsWith('"') ? JSON.parse(value) : value]
    })
    const schema = z.strictObject({
      name: z.literal('undercroft'),
      description: z.string().min(50).max(1024),
      license: z.string(),
      compatibility: z.string().max(500),
    })
    expect(schema.safeParse(Object.fromEntries(read)).error).toBeUndefined()
    expect(body).toContain('dungeon_action')
  })

  it('says which names players may have', async () => {
    expect(await (await get('/agents.md')).text()).toContain(`\`${playerNamePattern.source.slice(1, -1)}\``)
  })

  it('names only keys, creatures and items that exist in the dungeon', async () => {
    const skill = await (await get('/skill')).text()
    const keys = [...skill.matchAll(/`([A-Za-z<>])`/g)].map(([, key = '']) => key)
    expect(new Set(keys)).toEqual(new Set(['>', 'f', 'R', 'o', 'g', 'c', 'S']))
    expect(keys.filter((key) => readKey(key) !== key)).toEqual([])

    const creatures = ['zombie', 'ogre', 'bloat', 'gazer', 'centipede', 'fuse beetle', 'necromancer', 'guardian', 'eel']
    const things = [
      'elsewhere',
      'slumber',
      'dread',
      'away',
      'frost',
      'sloth',
      'healing',
      'life',
      'enchanting',
      'strength',
    ]
    expect([...creatures, ...things].filter((word) => !skill.includes(word))).toEqual([])
    expect(monsterKinds.map(({ name }) => name)).toEqual(expect.arrayContaining(creatures))
    expect(itemKinds.map(({ name }) => name)).toEqual(expect.arrayContaining(things))
  })
})
