import { McpServer } from '@modelcontextprotocol/server'
import { expect, it } from 'vitest'
import type { Characters } from '../../game-server/mcp/characters.ts'
import { makeLegacySessions } from '../../game-server/mcp/legacy-sessions.ts'

const url = 'http://game.test/mcp'
const initialize = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'crowd', version: '1' } },
}
const post = (body: object, headers: Record<string, string> = {}) =>
  new Request(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
    body: JSON.stringify(body),
  })

/** Sessions with this capacity, and the characters of each, in the order in which the sessions opened. */
function openHouse(room: { readonly maxSessions: number; readonly ofOne: number }, now = () => 0) {
  const everybody: Characters[] = []
  const handle = makeLegacySessions({
    makeServer(characters) {
      everybody.push(characters)
      return new McpServer({ name: 'game', version: '1' }, { capabilities: { tools: {} } })
    },
    now,
    maxBodyBytes: 65_536,
    limits: { ...room, idleMs: 1000 },
  })
  return { handle, everybody }
}

it('keeps sessions that play when it is full, and evicts those that never joined', async () => {
  const { handle, everybody } = openHouse({ maxSessions: 3, ofOne: 3 })
  const open = () => handle(post(initialize), initialize, undefined)
  const ping = async (opened: Response) => {
    const body = { jsonrpc: '2.0', id: 2, method: 'ping' }
    const id = opened.headers.get('mcp-session-id') ?? ''
    return (await handle(post(body, { 'mcp-session-id': id }), body, undefined)).status
  }

  const [playing, waiting, other] = [await open(), await open(), await open()]
  everybody[0]?.keep('Ada', { name: 'Ada', token: 'rt_ada' })
  expect((await open()).status).toBe(200)
  expect([await ping(playing), await ping(waiting), await ping(other)]).toEqual([200, 404, 200])

  for (const characters of everybody) characters.keep('Bo', { name: 'Bo', token: 'rt_bo' })
  const refused = await open()
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '60'])
  expect(await ping(playing)).toBe(200)
})

it('lets nobody keep others out with unverified tokens', async () => {
  const { handle } = openHouse({ maxSessions: 3, ofOne: 3 })
  for (let crowd = 0; crowd < 3; crowd++)
    expect((await handle(post(initialize), initialize, `rt_nobody${crowd}`)).status).toBe(200)
  expect((await handle(post(initialize), initialize, undefined)).status).toBe(200)
})

it('lets no household keep others out, however many sessions it plays in', async () => {
  const { handle, everybody } = openHouse({ maxSessions: 4, ofOne: 1 })
  const open = async (caller: string) => {
    const opened = await handle(post(initialize), initialize, undefined, caller)
    everybody.at(-1)?.notePlay()
    return opened
  }
  const ping = async (opened: Response) => {
    const body = { jsonrpc: '2.0', id: 2, method: 'ping' }
    const id = opened.headers.get('mcp-session-id') ?? ''
    return (await handle(post(body, { 'mcp-session-id': id }), body, undefined)).status
  }
  const crowd: Response[] = []
  const own = await open('203.0.113.7')
  // A household with IPv6 is a /64 network.
  for (const last of [1, 2, 3]) crowd.push(await open(`2001:db8:0:1::${last}`))
  const [second, third] = [await open('203.0.113.8'), await open('203.0.113.9')]
  expect([second.status, third.status]).toEqual([200, 200])
  expect(await Promise.all([...crowd, own, second, third].map(ping))).toEqual([404, 404, 200, 200, 200, 200])
  // Each household has one session now, and a player is not evicted for a newcomer.
  expect((await open('203.0.113.10')).status).toBe(503)
})

it('closes a session that was idle for a while, and no other', async () => {
  let at = 0
  const { handle } = openHouse({ maxSessions: 10, ofOne: 10 }, () => at)
  const open = async () => (await handle(post(initialize), initialize, undefined)).headers.get('mcp-session-id') ?? ''
  const ping = async (id: string) => {
    const body = { jsonrpc: '2.0', id: 2, method: 'ping' }
    return (await handle(post(body, { 'mcp-session-id': id }), body, undefined)).status
  }
  const [used, idle, later] = [await open(), await open(), await open()]
  at = 600
  expect([await ping(used), await ping(later)]).toEqual([200, 200])
  at = 1001
  expect([await ping(used), await ping(idle), await ping(later)]).toEqual([200, 404, 200])
})
