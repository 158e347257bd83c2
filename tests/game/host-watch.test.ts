import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { setTurns } from '../../game-server/core/status.ts'
import { type RunningGameHost, startGameHost } from '../support/game-host.ts'
import { openSocket, type SocketClient } from '../support/socket-client.ts'

let gameHost: RunningGameHost
beforeAll(async () => {
  gameHost = await startGameHost()
})
afterAll(() => gameHost.stop())

async function join(message: object): Promise<SocketClient> {
  const client = await openSocket(gameHost.wsUrl)
  client.send({ type: 'join', ...message })
  await client.next('welcome')
  return client
}

it('shows all spectators the same frames, two seconds late, and tells the player how many they are', async () => {
  const player = await join({ name: 'Star', kind: 'agent' })
  const watchers = [await openSocket(gameHost.wsUrl), await openSocket(gameHost.wsUrl)]
  for (const watcher of watchers) {
    watcher.send({ type: 'watch', player: 'star' })
    expect(await watcher.next('watching')).toMatchObject({ player: 'Star', delayMs: 2000 })
  }
  expect(await player.next('presence')).toMatchObject({ watchers: 1 })
  expect(await player.next('presence')).toMatchObject({ watchers: 2 })
  const pressedAt = Date.now()
  player.send({ type: 'input', key: '.' })
  const shown = await Promise.all(
    watchers.map(async (watcher) => {
      await watcher.next('snapshot')
      const frame = await watcher.next('delta')
      return { frame, afterMs: Date.now() - pressedAt }
    }),
  )
  expect(shown[0]?.frame).toEqual(shown[1]?.frame)
  for (const { afterMs } of shown) expect(afterMs).toBeGreaterThan(1900)
  await Promise.all([player, ...watchers].map((client) => client.close()))
})

it('does not show players who want to be unseen, or who are gone', async () => {
  const shy = await join({ name: 'Shy', watchable: false })
  const watcher = await openSocket(gameHost.wsUrl)
  watcher.send({ type: 'watch', player: 'Shy' })
  expect(await watcher.next('error')).toMatchObject({ code: 'watch_disabled' })
  await shy.close()
  await expect
    .poll(async () => {
      watcher.send({ type: 'watch', player: 'Shy' })
      return (await watcher.next('error'))['code']
    })
    .toBe('no_such_player')
  watcher.send({ type: 'input', key: '.' })
  expect(await watcher.next('error')).toMatchObject({ code: 'not_joined' })
  await watcher.close()
})

it('shows the player who acted last when no name is given', async () => {
  const [first, second] = [await join({ name: 'First' }), await join({ name: 'Second' })]
  first.send({ type: 'input', key: '.', n: 1 })
  await first.next('delta')
  const watcher = await openSocket(gameHost.wsUrl)
  watcher.send({ type: 'watch' })
  expect(await watcher.next('watching')).toMatchObject({ player: 'First' })
  await Promise.all([first, second, watcher].map((client) => client.close()))
})

it('does not show the daily dungeon, which others still have before them', async () => {
  const player = await join({ name: 'Early', mode: 'daily' })
  const watcher = await openSocket(gameHost.wsUrl)
  watcher.send({ type: 'watch', player: 'Early' })
  expect(await watcher.next('error')).toMatchObject({ code: 'watch_disabled' })
  await Promise.all([player.close(), watcher.close()])
})

it('limits how often the whole picture goes to all spectators, however often somebody begins to watch', async () => {
  const player = await join({ name: 'Crowd', kind: 'agent' })
  const [honest, restless] = [await openSocket(gameHost.wsUrl), await openSocket(gameHost.wsUrl)]
  honest.send({ type: 'watch', player: 'crowd' })
  await honest.next('watching')
  for (let time = 0; time < 20; time++) {
    restless.send({ type: 'watch', player: 'crowd' })
    await restless.next('watching')
  }
  await restless.next('snapshot')
  player.send({ type: 'input', key: '.' })
  await honest.next('delta')
  expect(honest.frames.filter(({ type }) => type === 'snapshot').length).toBeLessThan(15)
  await Promise.all([player, honest, restless].map((client) => client.close()))
})

it('begins with the whole picture for a later spectator, and does not count those who have gone', async () => {
  const player = await join({ name: 'Stage', kind: 'agent' })
  const early = await openSocket(gameHost.wsUrl)
  early.send({ type: 'watch', player: 'Stage' })
  await early.next('watching')
  await player.next('presence')
  await early.next('snapshot')
  player.send({ type: 'input', key: '.' })
  // The result of the last key is still delayed when the next spectator comes.
  await delay(500)
  const late = await openSocket(gameHost.wsUrl)
  late.send({ type: 'watch', player: 'Stage' })
  await late.next('watching')
  await player.next('presence')
  expect((await late.next('snapshot', 'delta')).type).toBe('snapshot')
  await early.close()
  expect(await player.next('presence')).toMatchObject({ watchers: 1 })
  late.socket.terminate()
  expect(await player.next('presence')).toMatchObject({ watchers: 0 })
  await player.close()
})

it('ends with the death of the watched player, once, and then finds nobody of that name to watch', async () => {
  const player = await join({ name: 'Doomed', kind: 'agent' })
  const watcher = await openSocket(gameHost.wsUrl)
  watcher.send({ type: 'watch', player: 'Doomed' })
  await watcher.next('snapshot')
  const session = gameHost.game.findByName('doomed')
  const body = session?.realm.world.players.get(session.player)
  if (!body) throw new Error('nobody plays')
  body.hp = 1
  setTurns(body, 'poisoned', 50)
  player.send({ type: 'input', key: '.' })
  const { id } = await player.next('death')
  expect(await watcher.next('death')).toMatchObject({ id, name: 'Doomed', card: expect.stringContaining('Doomed') })
  const other = await openSocket(gameHost.wsUrl)
  other.send({ type: 'watch', player: 'Doomed' })
  expect(await other.next('error')).toMatchObject({ code: 'no_such_player' })
  // A player who died may watch the living over the same socket.
  const alive = await join({ name: 'Alive' })
  player.send({ type: 'watch', player: 'Alive' })
  expect(await player.next('watching')).toMatchObject({ player: 'Alive' })
  expect(watcher.frames.map(({ type }) => type)).not.toContain('death')
  await Promise.all([player, watcher, other, alive].map((client) => client.close()))
})

it('is refused to a socket that plays, and ends when a socket joins', async () => {
  const [star, player] = [await join({ name: 'Luminary', kind: 'agent' }), await join({ name: 'Player' })]
  player.send({ type: 'watch', player: 'Luminary' })
  expect(await player.next('error')).toMatchObject({ code: 'already_joined' })
  const turning = await openSocket(gameHost.wsUrl)
  turning.send({ type: 'watch', player: 'Luminary' })
  expect(await star.next('presence')).toMatchObject({ watchers: 1 })
  turning.send({ type: 'join', name: 'Turned', kind: 'agent' })
  await turning.next('welcome')
  expect(await star.next('presence')).toMatchObject({ watchers: 0 })
  await Promise.all([star, player, turning].map((client) => client.close()))
})

it('shows nobody when all players are unlisted or dead', async () => {
  const hidden = await startGameHost()
  const [shy, dead, watcher] = await Promise.all([1, 2, 3].map(() => openSocket(hidden.wsUrl)))
  shy?.send({ type: 'join', name: 'Shy', watchable: false })
  dead?.send({ type: 'join', name: 'Dead' })
  await Promise.all([shy?.next('welcome'), dead?.next('welcome')])
  const session = hidden.game.findByName('dead')
  if (session) session.isOver = true
  watcher?.send({ type: 'watch' })
  expect(await watcher?.next('error', 'watching')).toMatchObject({ code: 'no_such_player' })
  await hidden.stop()
})

it('tells a spectator that looking for the player failed, when it failed because of an error', async () => {
  vi.spyOn(gameHost.game, 'findHost').mockRejectedValueOnce(new Error('the database is away'))
  const watcher = await openSocket(gameHost.wsUrl)
  watcher.send({ type: 'watch', player: 'Absent' })
  expect(await watcher.next('error')).toEqual({
    type: 'error',
    code: 'server_full',
    message: 'looking for this player failed because of an error on our side; try again in a moment',
    retryAfterMs: 1000,
  })
  expect(gameHost.noted.join()).toContain('the database is away')
  await watcher.close()
})
