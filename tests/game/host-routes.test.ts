import { setImmediate } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeGameRoutes } from '../../game-server/api/game-routes.ts'
import { makeOperatorRoutes } from '../../game-server/api/operator-routes.ts'
import { makeFindLive } from '../../game-server/api/to-live.ts'
import { replay } from '../../game-server/core/replay.ts'
import type { Death } from '../../game-server/protocol/dungeon.ts'
import type { Answer } from '../../src/http/make-router.ts'
import { makeRouter } from '../../src/http/make-router.ts'
import { playToDeath, type RunningGameHost, startGameHost } from '../support/game-host.ts'
import { openSocket, type SocketClient } from '../support/socket-client.ts'

const secret = 'the secret of this game host'
let gameHost: RunningGameHost
let answer: Answer
let death: Death
const reported: unknown[] = []

beforeAll(async () => {
  gameHost = await startGameHost({ inputLimits: { perSecond: 1e9, burst: 1e9 } })
  const { db, game, sockets, moderation } = gameHost
  const cups = { isRevealed: async () => false }
  const report = (error: unknown) => void reported.push(error)
  const findLive = makeFindLive({ game, sockets, report })
  const about = { db, game, sockets, moderation, cups, findLive, report, now: Date.now, secret }
  answer = makeRouter({
    routes: [...makeGameRoutes(about), ...makeOperatorRoutes(about)],
    baseUrl: 'http://site.test',
    notFound: () => new Response(null, { status: 404 }),
    report: ({ error }) => {
      throw new Error(error)
    },
  })
  const joined = await gameHost.dungeon.join({ name: 'Ada', kind: 'agent' })
  if (joined.is === 'refused') throw new Error(joined.message)
  death = await playToDeath(gameHost, joined.token)
})
afterAll(() => gameHost.stop())

async function get(path: string): Promise<unknown> {
  const response = await answer(new Request(`http://game.test${path}`), path.split('?')[0] ?? '', '')
  expect(response.status).toBe(200)
  return response.json()
}

async function order(body: object, bearer = secret): Promise<{ status: number; body: unknown }> {
  const request = new Request('http://game.test/api/operator', {
    method: 'POST',
    headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const response = await answer(request, '/api/operator', '')
  return { status: response.status, body: await response.json() }
}

async function join(name: string): Promise<SocketClient> {
  const client = await openSocket(gameHost.wsUrl)
  client.send({ type: 'join', name })
  return client
}

describe('anybody', () => {
  it('can read who died of what, and who got furthest, people and agents apart', async () => {
    expect(await get('/api/deaths')).toEqual({ deaths: [death] })
    expect(await get('/api/leaderboard')).toEqual({ board: 'all', human: [], agent: [death] })
    expect(await get('/api/leaderboard?board=month&limit=1')).toMatchObject({ agent: [death] })
    expect(await get('/api/leaderboard?board=daily')).toEqual({ board: 'daily', human: [], agent: [] })
  })

  it('can read who plays, but neither where they are nor who plays unlisted', async () => {
    const client = await join('Seen')
    await client.next('welcome')
    const shy = await openSocket(gameHost.wsUrl)
    shy.send({ type: 'join', name: 'Shy', watchable: false })
    await shy.next('welcome')
    expect(await get('/api/live')).toEqual({
      playing: 2,
      players: [{ name: 'Seen', kind: 'human', badges: [], mode: 'open', depth: 1, deepest: 1, watchers: 0 }],
    })
    await Promise.all([client.close(), shy.close()])
  })

  it('can read who plays at the other hosts when the answer of one of them cannot be read', async () => {
    const errors: unknown[] = []
    const findLive = makeFindLive({
      game: { sessions: () => [] },
      sockets: { watchersOf: () => 0 },
      askOthers: async () => [{ playing: 1, players: [{ name: 'Ada' }] }, { playing: 'many' }, null],
      report: (error) => errors.push(error),
    })
    expect(await findLive()).toEqual({ playing: 1, players: [{ name: 'Ada' }] })
    expect(errors).toHaveLength(2)
  })

  it('can replay a life to its hash', async () => {
    const file = await get(`/api/replays/${death.id}`)
    expect(file).toMatchObject({ life: death, seed: expect.any(String), commands: expect.any(Array) })
    const { seed, commands, rules, hash } = Object(file)
    expect(replay(seed, commands, rules).hash).toBe(hash)
  })

  it('can replay a life of very many keys while others play on', async () => {
    const rows = 4000
    const id = 'r_long'
    const realm = { id, mode: 'open', event: null, seed: 's', rules: 2, opened_at: 1, closed_at: 2 } as const
    await gameHost.db
      .insertInto('realm')
      .values({ ...realm, frozen_at: null, owner: null, fence: 1 })
      .execute()
    const keys = ['north', 'south', 'o', '.'].map((key) => ({ is: 'key', player: 1, key }) as const)
    const commands = JSON.stringify(keys)
    for (let first = 0; first < 4 * rows; first += 1000)
      await gameHost.db
        .insertInto('input_log')
        .values(Array.from({ length: 250 }, (_, at) => ({ realm: id, first: first + 4 * at, count: 4, commands })))
        .execute()
    const { hasWon: _, ...record } = death
    // This life ends in the middle of the last row, in which others play on.
    const ended = { player: 1, account: 'long', event: null, hash: 'h', has_won: 0, commands: 4 * rows - 2 }
    await gameHost.db
      .insertInto('life')
      .values({ ...record, ...ended, id: 'd_long', realm: id, score: 0, at: 1 })
      .execute()
    let turns = 0
    let isDone = false
    const turning = (async () => {
      for (; !isDone; turns++) await setImmediate()
    })()
    const file = Object(await get('/api/replays/d_long'))
    isDone = true
    await turning
    expect(file.commands).toHaveLength(4 * rows - 2)
    expect(file.commands.slice(-3)).toEqual([keys[3], keys[0], keys[1]])
    expect(turns).toBeGreaterThan(rows / 500)
  })

  it('costs no replay with a HEAD request, and gets an aborted one when its log fails, which the server log tells', async () => {
    const ask = (method: string) =>
      answer(new Request('http://game.test/api/replays/d_long', { method }), '/api/replays/d_long', '')
    const head = await ask('HEAD')
    expect([head.status, head.body]).toEqual([200, null])
    expect([...head.headers]).toEqual([...(await ask('GET')).headers])
    await gameHost.db.deleteFrom('input_log').where('realm', '=', 'r_long').where('first', '>=', 12_000).execute()
    await expect((await ask('GET')).text()).rejects.toThrow('ends after 12000')
    expect(reported.map(String)).toEqual([expect.stringContaining('ends after 12000')])
  })

  it.each(['/api/deaths?limit=0', '/api/leaderboard?board=week'])('is told what is wrong with %s', async (path) => {
    const response = await answer(new Request(`http://game.test${path}`), path.split('?')[0] ?? '', '')
    expect([response.status, await response.json()]).toMatchObject([
      400,
      { errors: [{ parameter: expect.any(String) }] },
    ])
  })

  it('finds no life that is not over, and no operator routes', async () => {
    expect((await answer(new Request('http://game.test/x'), '/api/replays/d_nobody', '')).status).toBe(404)
    expect((await order({ order: 'metrics' }, 'a guess')).status).toBe(404)
  })
})

describe('the operator', () => {
  it('can send a player away for a while', async () => {
    const client = await join('Rude')
    const { resumeToken } = await client.next('welcome')
    expect(await order({ order: 'kick', player: 'rude' })).toMatchObject({ status: 200 })
    expect(await client.closed).toBe(4004)
    const back = await openSocket(gameHost.wsUrl)
    back.send({ type: 'join', name: 'Rude', resumeToken })
    expect(await back.next('error')).toMatchObject({ code: 'kicked', retryAfterMs: expect.any(Number) })
    expect(await gameHost.dungeon.look(String(resumeToken))).toMatchObject({ is: 'refused', code: 'kicked' })
    await order({ order: 'kick', player: 'Rude', minutes: 0 })
    back.send({ type: 'join', name: 'Rude', resumeToken })
    expect(await back.next('welcome')).toMatchObject({ resumed: true })
    await back.close()
  })

  it('can reserve a name', async () => {
    await order({ order: 'reserve', player: 'Champion' })
    const client = await join('champion')
    expect(await client.next('error')).toMatchObject({ code: 'bad_name' })
    await client.close()
  })

  it('can speak to everybody, and mute a player', async () => {
    const client = await join('Loud')
    await client.next('welcome')
    await order({ order: 'announce', text: 'Tea at five.' })
    expect(await client.next('announce')).toEqual({ type: 'announce', text: 'Tea at five.' })
    await order({ order: 'mute', player: 'Loud' })
    client.send({ type: 'say', text: 'hello' })
    expect(await client.next('error')).toMatchObject({ code: 'muted' })
    await client.close()
  })

  it('sees the state of the game, and what an order lacks', async () => {
    expect(await order({ order: 'metrics' })).toMatchObject({
      status: 200,
      body: { sockets: expect.any(Number), keys: expect.any(Number), memoryMb: expect.any(Number) },
    })
    expect(await order({ order: 'kick' })).toMatchObject({ status: 400, body: { errors: [{ pointer: '/player' }] } })
    for (const player of ['a b', 'Ada!', 'x'.repeat(25)])
      expect(await order({ order: 'reserve', player })).toMatchObject({
        status: 400,
        body: { errors: [{ pointer: '/player', detail: expect.stringMatching(/^must be 1 to 24 letters/) }] },
      })
    expect((await order({ order: 'dance' })).status).toBe(400)
  })
})
