import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { makeOperatorRoutes } from '../../game-server/api/operator-routes.ts'
import { sendAway, sendAwayLate } from '../../game-server/api/send-away.ts'
import { setTurns } from '../../game-server/core/status.ts'
import type { Session } from '../../game-server/realms/realm.ts'
import { type RunningGameHost, startGameHost } from '../support/game-host.ts'
import { openSocket, type SocketClient } from '../support/socket-client.ts'

let gameHost: RunningGameHost
/** It begins at noon, because no day may end in the minutes that these tests let pass. */
let at = new Date().setUTCHours(12, 0, 0, 0)
beforeAll(async () => {
  gameHost = await startGameHost({ now: () => at })
})
afterAll(() => gameHost.stop())

async function join(message: object): Promise<{ client: SocketClient; token: string }> {
  const client = await openSocket(gameHost.wsUrl)
  client.send({ type: 'join', ...message })
  return { client, token: String((await client.next('welcome'))['resumeToken']) }
}

const sessionOf = (name: string): Session => {
  const session = gameHost.game.findByName(name)
  if (!session) throw new Error(`${name} does not play`)
  return session
}
const isStanding = ({ realm, player }: Session): boolean | undefined => realm.world.players.get(player)?.isHere

/** Wounds a player so that the next turn is their last. */
function wound({ realm, player }: Session): void {
  const body = realm.world.players.get(player)
  if (!body) throw new Error('nobody is there')
  body.hp = 1
  setTurns(body, 'poisoned', 50)
}

it('takes a player off the map when their program plays another life, and freezes that realm', async () => {
  const open = await gameHost.dungeon.join({ name: 'Ada', kind: 'agent' })
  if (open.is === 'refused') throw new Error(open.message)
  const first = sessionOf('ada')
  expect(isStanding(first)).toBe(true)
  await gameHost.dungeon.join({ name: 'Ada', kind: 'agent', token: open.token, mode: 'daily' })
  expect(sessionOf('ada')).not.toBe(first)
  expect(isStanding(first)).toBe(false)
  at += 11 * 60_000
  await gameHost.game.tidy()
  expect([...gameHost.game.realms()]).toEqual([])
})

it('sends a player away from all lives that they play', async () => {
  const { client: open, token } = await join({ name: 'Bo' })
  const { client: daily } = await join({ name: 'Bo', resumeToken: token, mode: 'daily' })
  const routes = makeOperatorRoutes({ secret: 'secret', ...gameHost, now: () => at })
  const order = { order: 'kick', player: 'Bo' }
  const headers = { authorization: 'Bearer secret', 'content-type': 'application/json' }
  const request = new Request('http://game.test/api/operator', { method: 'POST', headers, body: JSON.stringify(order) })
  expect((await routes[0]?.handlers.POST?.(request, '', ''))?.status).toBe(200)
  expect(await daily.closed).toBe(4004)
  expect(await open.closed).toBe(4004)
})

it('sends a player away for an order given to another host that was never heard, and nobody else', async () => {
  const { client: kicked } = await join({ name: 'Rex' })
  const { client: stays } = await join({ name: 'Una' })
  const ruling = { kind: 'kick' as const, account: 'rex', until: at + 60_000 }
  await gameHost.db.insertInto('ruling').values(ruling).execute()
  await sendAwayLate(gameHost)
  expect(await kicked.closed).toBe(4004)
  expect(isStanding(sessionOf('rex'))).toBe(false)
  stays.send({ type: 'ping' })
  expect(await stays.next('pong')).toEqual({ type: 'pong' })
  await stays.close()
})

it('tells a player who began a new life nothing more of the realm where they died', async () => {
  const { client: cy, token } = await join({ name: 'Cy' })
  const { client: di } = await join({ name: 'Di' })
  await cy.next('players')
  await cy.next('players')
  wound(sessionOf('cy'))
  cy.send({ type: 'input', key: '.' })
  await cy.next('death')
  cy.send({ type: 'join', name: 'Cy', resumeToken: token })
  await cy.next('welcome')
  await cy.next('players')
  di.send({ type: 'say', text: 'is anybody here?' })
  await di.next('say')
  cy.send({ type: 'ping' })
  await cy.next('pong')
  expect(cy.frames.map(({ type }) => type)).not.toContain('say')
  await Promise.all([cy.close(), di.close()])
})

it('lists the players who are in the realm, again as soon as one of them dies, goes away or comes back', async () => {
  const own = await startGameHost()
  const enter = async (message: object) => {
    const client = await openSocket(own.wsUrl)
    client.send({ type: 'join', ...message })
    return { client, token: String((await client.next('welcome'))['resumeToken']) }
  }
  const { client: ada } = await enter({ name: 'Ada' })
  const listed = z.looseObject({ players: z.array(z.looseObject({ name: z.string() })) })
  const list = async () => listed.parse(await ada.next('players')).players.map(({ name }) => name)
  expect(await list()).toEqual(['Ada'])
  const { client: bo, token } = await enter({ name: 'Bo' })
  expect(await list()).toEqual(['Ada', 'Bo'])
  await bo.close()
  expect(await list()).toEqual(['Ada'])
  const { client: back } = await enter({ name: 'Bo', resumeToken: token })
  expect(await list()).toEqual(['Ada', 'Bo'])
  await own.dungeon.join({ name: 'Model', kind: 'agent' })
  expect(await list()).toEqual(['Ada', 'Bo', 'Model'])
  const session = own.game.findByName('Bo')
  if (session) wound(session)
  back.send({ type: 'input', key: '.' })
  expect(await list()).toEqual(['Ada', 'Model'])
  await Promise.all([ada.close(), back.close()])
  await own.stop()
})

it('stops showing a player who comes back unlisted', async () => {
  const { client: first, token } = await join({ name: 'Eve' })
  const watcher = await openSocket(gameHost.wsUrl)
  watcher.send({ type: 'watch', player: 'Eve' })
  await watcher.next('watching')
  expect(gameHost.sockets.watchersOf(sessionOf('eve'))).toBe(1)
  const { client: second } = await join({ name: 'Eve', resumeToken: token, watchable: false })
  expect(await watcher.next('error')).toMatchObject({ code: 'watch_disabled' })
  expect(gameHost.sockets.watchersOf(sessionOf('eve'))).toBe(0)
  await Promise.all([first, second, watcher].map((client) => client.close()))
})

it('keeps one world for a life whose player comes back while that world is being frozen', async () => {
  const joined = await gameHost.dungeon.join({ name: 'Fay', kind: 'agent' })
  if (joined.is === 'refused') throw new Error(joined.message)
  gameHost.game.leave(sessionOf('fay'))
  at += 10 * 60_000
  await gameHost.game.tidy()
  expect([...gameHost.game.realms()]).toEqual([])
  await gameHost.dungeon.act(joined.token, '.')
  await gameHost.dungeon.join({ name: 'Fay', kind: 'agent', token: joined.token })
  await gameHost.dungeon.act(joined.token, '.')
  await expect.poll(() => gameHost.game.lag()).toBe(0)
  expect([...gameHost.game.realms()]).toEqual([sessionOf('fay').realm])
  expect(gameHost.noted).toEqual([])
})

it('gives nobody a name that the operator reserved, even as a variant', async () => {
  await gameHost.moderation.keep('reserve', 'gil-2', 60_000)
  const names = []
  for (let crowd = 0; crowd < 2; crowd++) {
    const joined = await gameHost.dungeon.join({ name: 'Gil', kind: 'agent' })
    if (joined.is === 'refused') throw new Error(joined.message)
    names.push(joined.name)
  }
  expect(names).toEqual(['Gil', 'Gil-3'])
})

it('delays spectators and chat correctly when the clock of the machine is set back', async () => {
  const { client: hal } = await join({ name: 'Hal' })
  const watcher = await openSocket(gameHost.wsUrl)
  watcher.send({ type: 'watch', player: 'Hal' })
  await watcher.next('watching')
  hal.send({ type: 'say', text: 'before' })
  await hal.next('say')
  at -= 3_600_000
  await watcher.next('snapshot')
  hal.send({ type: 'say', text: 'at once' })
  const { retryAfterMs } = await hal.next('error')
  expect(retryAfterMs).toBeLessThanOrEqual(5000)
  at += 5000
  hal.send({ type: 'say', text: 'after' })
  expect(await hal.next('say')).toMatchObject({ text: '⟦after⟧' })
  await Promise.all([hal, watcher].map((client) => client.close()))
  at += 3_600_000
})

it('deletes the snapshot of a world after a month without its player', async () => {
  const kept = () => gameHost.db.selectFrom('snapshot').select('realm').execute()
  await gameHost.dungeon.join({ name: 'Ivy', kind: 'agent' })
  const { id } = sessionOf('ivy').realm
  at += 11 * 60_000
  await gameHost.game.tidy()
  expect(await kept()).toContainEqual({ realm: id })
  at += 31 * 24 * 3_600_000
  await gameHost.game.tidy()
  expect(await kept()).toEqual([])
  const realm = await gameHost.db.selectFrom('realm').select('closed_at').where('id', '=', id).executeTakeFirst()
  expect(realm?.closed_at).toBe(at)
})

it('lets a player who asks for the daily dungeon into that of today, while a life of yesterday waits', async () => {
  const early = await gameHost.dungeon.join({ name: 'Dawn', kind: 'agent', mode: 'daily' })
  if (early.is === 'refused') throw new Error(early.message)
  const again = async (mode?: 'daily') => {
    const joined = await gameHost.dungeon.join({ name: 'Dawn', kind: 'agent', token: early.token, mode })
    return joined.is === 'refused' ? joined.code : [joined.isResumed, sessionOf('dawn').realm.event]
  }
  const [yesterday, today] = [0, 24].map((hours) => new Date(at + hours * 3_600_000).toISOString().slice(0, 10))
  at += 24 * 3_600_000
  // A connection that breaks at midnight does not end a life in progress.
  expect(await again('daily')).toEqual([true, yesterday])
  at += 11 * 60_000
  await gameHost.game.tidy()
  expect(await again('daily')).toEqual([false, today])
  expect(await again('daily')).toEqual([true, today])
  wound(sessionOf('dawn'))
  await gameHost.dungeon.act(early.token, '.')
  expect(await again('daily')).toBe('no_entry')
  expect(await again()).toEqual([true, yesterday])
})

it('does not admit a player who is sent away while joining', async () => {
  const limits = { keys: 100, at: Number.POSITIVE_INFINITY }
  const venue = { mode: 'cup', event: 'cup-9', seed: 'ab'.repeat(32) } as const
  const house = await startGameHost({
    cups: {
      async enter(owner) {
        await house.moderation.keep('kick', owner.key, 60_000)
        sendAway(owner.name, house)
        return { is: 'entered', venue, limits }
      },
      isRevealed: async () => false,
    },
  })
  const client = await openSocket(house.wsUrl)
  client.send({ type: 'join', name: 'Kit', mode: 'cup' })
  expect(await client.next('welcome', 'error')).toMatchObject({ code: 'kicked', retryAfterMs: expect.any(Number) })
  expect(house.game.findByName('kit')?.isHere).toBe(false)
  await house.stop()
})

it('admits players of a full house back, however they return, and others when somebody has left', async () => {
  const house = await startGameHost({ maxPlayers: 2 })
  const enter = async (name: string, token?: string) => {
    const joined = await house.dungeon.join({ name, kind: 'agent', token })
    return joined.is === 'refused' ? joined.code : joined.token
  }
  const [ada] = [await enter('Ada'), await enter('Bo')]
  expect(await house.dungeon.join({ name: 'Cy', kind: 'agent' })).toMatchObject({
    code: 'server_full',
    retryAfterMs: 60_000,
  })
  expect(await enter('Ada', ada)).toBe(ada)
  expect(await enter('Cy', 'rt_guessed')).toBe('server_full')
  const bo = house.game.findByName('bo')
  if (bo) house.game.leave(bo)
  expect(await enter('Cy')).toMatch(/^rt_/)
  await house.stop()
})

it('lets a connected player think as long as they like, and takes idle programs off the map until they are back', async () => {
  const { client } = await join({ name: 'Jo' })
  const programs = [
    await gameHost.dungeon.join({ name: 'Lu', kind: 'agent' }),
    await gameHost.dungeon.join({ name: 'Mia', kind: 'agent' }),
  ]
  const [looking, acting] = programs.map((joined) => (joined.is === 'refused' ? '' : joined.token))
  const isSeen = (name: string) => gameHost.game.findByName(name)?.isHere
  at += 11 * 60_000
  await gameHost.game.tidy()
  expect([isStanding(sessionOf('jo')), isSeen('lu'), isSeen('mia')]).toEqual([true, undefined, undefined])
  expect(await gameHost.dungeon.look(looking ?? '')).toMatchObject({ is: 'seen' })
  expect(await gameHost.dungeon.act(acting ?? '', '.')).toMatchObject({ is: 'seen' })
  expect([isSeen('lu'), isSeen('mia')]).toEqual([true, true])
  await client.close()
})

it('tells a life in words to a program as soon as no picture of it is shown any more', async () => {
  const { client, token } = await join({ name: 'Mo' })
  await client.close()
  await expect.poll(() => isStanding(sessionOf('mo'))).toBe(false)
  // Events that the picture has shown are not told again.
  const seen = await gameHost.dungeon.look(token)
  expect(seen).toMatchObject({ text: expect.stringContaining('You are back.') })
  expect(seen).toMatchObject({ text: expect.not.stringContaining('You enter the Undercroft.') })
  // The return is told once.
  expect(await gameHost.dungeon.look(token)).toMatchObject({ text: expect.not.stringContaining('You are back.') })
  await gameHost.moderation.keep('kick', 'mo', 60_000)
  for (const key of ['look', '.'])
    expect(await gameHost.dungeon.act(token, key)).toMatchObject({ code: 'kicked', retryAfterMs: expect.any(Number) })
})

it('tells spectators when the watched life is frozen, and shows it again once its player is back', async () => {
  const { client, token } = await join({ name: 'Pia' })
  const watcher = await openSocket(gameHost.wsUrl)
  const watch = async () => {
    watcher.send({ type: 'watch', player: 'Pia' })
    return watcher.next('watching', 'error')
  }
  expect(await watch()).toMatchObject({ type: 'watching' })
  await client.close()
  await expect.poll(() => isStanding(sessionOf('pia'))).toBe(false)
  at += 11 * 60_000
  await gameHost.game.tidy()
  expect(await watcher.next('error')).toMatchObject({ code: 'no_such_player' })
  const { client: back } = await join({ name: 'Pia', resumeToken: token })
  expect(await watch()).toMatchObject({ type: 'watching' })
  watcher.frames.splice(0)
  back.send({ type: 'input', key: '.' })
  expect(await watcher.next('delta', 'snapshot')).toBeDefined()
  await Promise.all([back, watcher].map((each) => each.close()))
})

it('tells players who join while the host stops that it restarts, and not that it is full', async () => {
  const stopping = await startGameHost()
  await stopping.game.close()
  expect(await stopping.dungeon.join({ name: 'Late', kind: 'agent' })).toEqual({
    is: 'refused',
    code: 'server_full',
    message: 'the game host is restarting; try again in a moment',
  })
  await stopping.stop()
})
