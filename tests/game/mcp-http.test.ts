import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { figure } from '../support/figures.ts'
import { type McpGame, startMcpGame } from '../support/mcp-game.ts'
import { connectPlayer, type Era, playToDeath } from '../support/mcp-player.ts'
import { tokensOf } from '../support/token-count.ts'

const isDeep = figure(0, 1) === 1
let gameHost: McpGame
beforeAll(async () => {
  gameHost = await startMcpGame()
})
afterAll(() => gameHost.stop())

const connect = (era: Era, { path = '/mcp', token }: { path?: string; token?: string } = {}) =>
  connectPlayer(
    new StreamableHTTPClientTransport(new URL(gameHost.gameUrl + path), {
      ...(token !== undefined && { requestInit: { headers: { authorization: `Bearer ${token}` } } }),
    }),
    era,
  )

describe.each([
  ['legacy', '/mcp', [['name', 'mode'], [], ['key']]],
  ['modern', '/api/mcp', [['name', 'mode', 'session'], ['session'], ['key', 'session']]],
] as const)('a client of the %s revisions', (era, path, inputs) => {
  const schema = z.object({ properties: z.record(z.string(), z.unknown()) })

  it('is offered three tools, with a session parameter only where the connection has no session', async () => {
    const { client, close } = await connect(era, { path })
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual(['dungeon_join', 'dungeon_look', 'dungeon_action'])
    expect(tools.map(({ inputSchema }) => Object.keys(schema.parse(inputSchema).properties))).toEqual(inputs)
    expect(tokensOf(tools)).toBeLessThan(2500)
    await close()
  })

  // A whole life takes thousands of messages, so the usual run plays it for one era only.
  it.runIf(isDeep || era === 'modern')('joins, looks, plays 200 actions, dies of it and starts again', async () => {
    const player = await connect(era, { path })
    const joined = await player.join({ name: `Long-${era}` })
    const session = era === 'modern' ? { session: joined.session } : {}
    expect(joined.text).toContain(joined.session)
    expect((await player.look(session)).you.alive).toBe(true)

    const end = await playToDeath(player, joined.name, 200, session)
    expect(end.you.alive).toBe(false)
    expect(end.text).toContain(`${gameHost.gameUrl}/death/${end.death.id}`)
    expect(end.text).toMatch(/NEXT: call dungeon_join/)
    expect(await player.fail('dungeon_action', { key: 'o', ...session })).toMatch(/^dead: .*\nNEXT: call dungeon_join$/)

    const again = await player.join({ name: joined.name, ...session })
    expect([again.name, again.session, again.resumed]).toEqual([joined.name, joined.session, false])
    expect([again.you.alive, again.turn]).toEqual([true, 0])
    await player.close()
  })

  it('is told the valid keys after an invalid one, which costs no turn', async () => {
    const player = await connect(era, { path })
    expect(await player.fail('dungeon_look', {})).toMatch(/^not_joined: /)
    const { session: token } = await player.join({ name: `Typo-${era}` })
    const session = era === 'modern' ? { session: token } : {}
    const before = await player.look(session)
    const refusal = await player.fail('dungeon_action', { key: 'xyzzy', ...session })
    expect(refusal).toMatch(/^bad_key: /)
    const [, keys = ''] = /^KEYS: (.+)$/m.exec(refusal) ?? []
    expect(keys.split(' ')).toEqual(before.keys.map(({ key }) => key))
    expect((await player.look(session)).turn).toBe(before.turn)
    await player.close()
  })

  it('joins the daily dungeon or the cup by the mode parameter', async () => {
    const player = await connect(era, { path })
    expect((await player.join({ name: `Day-${era}`, mode: 'daily' })).depth).toBe(1)
    expect(await player.fail('dungeon_join', { name: `Cup-${era}`, mode: 'cup' })).toMatch(/^cup_closed: /)
    await player.close()
  })

  it('resumes a life with its token alone', async () => {
    const first = await connect(era, { path })
    const { session, name } = await first.join({ name: `Token-${era}` })
    await first.close()
    const later = await connect(era, { path, token: session })
    expect((await later.look()).you.alive).toBe(true)
    expect(await later.join({ name })).toMatchObject({ name, session, resumed: true })
    await later.close()
  })
})

describe('a session of the 2025 revisions', () => {
  const initialize = {
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'line', version: '1' } },
  }
  const post = (message: object, headers: Record<string, string> = {}) =>
    fetch(`${gameHost.gameUrl}/mcp`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...message }),
    })
  const open = async (): Promise<string> => (await post(initialize)).headers.get('mcp-session-id') ?? ''
  const list = async (id: string) => (await post({ method: 'tools/list' }, { 'mcp-session-id': id })).status

  it('remembers its own character and no other', async () => {
    const [one, other] = [await connect('legacy'), await connect('legacy')]
    await one.join({ name: 'Mine' })
    expect(await other.fail('dungeon_look', {})).toMatch(/^not_joined: /)
    const stranger = await other.join({ name: 'Mine' })
    expect([stranger.name, stranger.requested]).toEqual(['Mine-2', 'Mine'])
    expect((await one.join({ name: 'Mine' })).resumed).toBe(true)
    expect((await other.join({ name: 'Mine' })).name).toBe('Mine-2')
    await Promise.all([one.close(), other.close()])
  })

  it('ends when its client says so, and after half an hour without a request', async () => {
    // The session that opened first is not the first to end.
    const [ended, busy, idle] = [await open(), await open(), await open()]
    const deleted = await fetch(`${gameHost.gameUrl}/mcp`, { method: 'DELETE', headers: { 'mcp-session-id': ended } })
    expect([deleted.status, await list(ended), await list(idle)]).toEqual([200, 404, 200])
    gameHost.passTime(20 * 60_000)
    expect(await list(busy)).toBe(200)
    gameHost.passTime(11 * 60_000)
    expect([await list(idle), await list(busy)]).toEqual([404, 200])
  })

  it('is not needed by a shell command that passes the token itself', async () => {
    const call = async (name: string, args: object) => {
      const response = await post({ method: 'tools/call', params: { name, arguments: args } }, { accept: '*/*' })
      const { result } = z
        .object({ result: z.object({ structuredContent: z.looseObject({}) }) })
        .parse(await response.json())
      return result.structuredContent
    }
    const { session } = await call('dungeon_join', { name: 'Shell' })
    expect(await call('dungeon_look', { session })).toMatchObject({ turn: 0, depth: 1 })
  })

  it.each([
    [{ origin: 'https://stranger.example' }, 403],
    [{ origin: 'null' }, 403],
    [{ origin: 'http://site.test' }, 200],
  ])('is opened only by programs and by pages of the game host (%j)', async (headers, status) => {
    expect((await post(initialize, headers)).status).toBe(status)
  })

  it('answers a call that is cancelled before it is done', async () => {
    const cancelled = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 7 } }
    const call = { jsonrpc: '2.0', id: 7, method: 'tools/call', params: { name: 'dungeon_look', arguments: {} } }
    for (const headers of [{}, { 'mcp-session-id': await open() }]) {
      const answer = await fetch(`${gameHost.gameUrl}/mcp`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'application/json', ...headers },
        body: JSON.stringify([call, cancelled]),
        signal: AbortSignal.timeout(3000),
      })
      expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining('not_joined')])
    }
  })

  it('executes nothing of a batch with two calls under one id, because one of them would get no answer', async () => {
    const ask = (id: unknown, method: string, params: object = {}) => ({ jsonrpc: '2.0', id, method, params })
    const join = ask(1, 'tools/call', { name: 'dungeon_join', arguments: { name: 'Twin' } })
    const answer = await fetch(`${gameHost.gameUrl}/mcp`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify([ask(1, 'ping'), join]),
    })
    expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining('the same id')])
    expect(gameHost.gameHost.game.findByName('Twin')).toBeUndefined()
  })

  it('refuses bodies above 64 KiB', async () => {
    expect((await post({ ...initialize, padding: 'x'.repeat(65_536) })).status).toBe(413)
  })
})

it('shows who died how in a cup, and no links to pages that stay secret until the cup is over', async () => {
  const venue = { mode: 'cup', event: 'cup-9', seed: 'ab'.repeat(32) } as const
  const limits = { keys: 1, at: Number.POSITIVE_INFINITY }
  const cups = { enter: async () => ({ is: 'entered', venue, limits }) as const, isRevealed: async () => false }
  const house = await startMcpGame({ cups })
  const player = await connectPlayer(new StreamableHTTPClientTransport(new URL(`${house.gameUrl}/mcp`)), 'legacy')
  await player.join({ name: 'Runner', mode: 'cup' })
  await player.act('.')
  expect(await player.fail('dungeon_action', { key: '.' })).toMatch(/^dead: /)
  const { text, death } = await player.look()
  expect(death).toMatchObject({ mode: 'cup', cause: 'ran out of time', credits: 20 })
  expect(text).toContain('ran out of time')
  expect(text).not.toContain('/death/')
  await player.close()
  await house.stop()
})

describe('GET /api/mcp', () => {
  const get = (accept: string) => fetch(`${gameHost.gameUrl}/api/mcp`, { headers: { accept }, redirect: 'manual' })

  it('describes the tools to programs, with the configuration that starts them', async () => {
    const response = await get('*/*')
    expect(response.headers.get('content-type')).toMatch(/^application\/json/)
    expect(await response.json()).toMatchObject({
      name: 'dungeon',
      cursor_config: { mcpServers: { dungeon: { command: 'npx', env: { DUNGEON_HTTP_URL: gameHost.gameUrl } } } },
    })
  })

  it('redirects people to the page about it', async () => {
    const response = await get('text/html,application/xhtml+xml,*/*;q=0.8')
    expect([response.status, response.headers.get('location')]).toEqual([303, `${gameHost.gameUrl}/mcp.html`])
  })
})
