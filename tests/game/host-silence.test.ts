import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, expect, it, vi } from 'vitest'
import { type RunningGameHost, startGameHost } from '../support/game-host.ts'
import { openSocket, type SocketClient } from '../support/socket-client.ts'

let gameHost: RunningGameHost
afterEach(async () => {
  vi.useRealTimers()
  await gameHost.stop()
})

const ping = async (client: SocketClient): Promise<void> => {
  client.send({ type: 'ping' })
  await client.next('pong')
}

it('closes sockets that neither join nor watch within ten seconds, and no others', async () => {
  gameHost = await startGameHost()
  const [player, watcher, silent] = [
    await openSocket(gameHost.wsUrl),
    await openSocket(gameHost.wsUrl),
    await openSocket(gameHost.wsUrl),
  ]
  player.send({ type: 'join', name: 'Ada' })
  await player.next('welcome')
  watcher.send({ type: 'watch', player: 'Ada' })
  await watcher.next('watching')
  // Messages alone are no reason to stay.
  await ping(silent)
  expect(await silent.closed).toBe(4000)
  await ping(player)
  await ping(watcher)
  await Promise.all([player.close(), watcher.close()])
})

/** Starts a host whose heartbeat is driven by the test. */
async function startHeld(now?: () => number): Promise<{ beat: (seconds: number) => void }> {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  gameHost = await startGameHost(now && { now })
  return { beat: (seconds) => vi.advanceTimersByTime(seconds * 1000) }
}

it('drops a client that does not answer a ping before the next one, and takes its avatar off the map', async () => {
  const { beat } = await startHeld()
  const [answering, talking, gone] = [
    await openSocket(gameHost.wsUrl),
    await openSocket(gameHost.wsUrl, { autoPong: false }),
    await openSocket(gameHost.wsUrl, { autoPong: false }),
  ]
  for (const [name, client] of Object.entries({ answering, talking, gone })) {
    client.send({ type: 'join', name })
    await client.next('welcome')
  }
  const pinged = [answering, talking, gone].map(({ socket }) => new Promise((resolve) => socket.once('ping', resolve)))
  beat(25)
  await Promise.all(pinged)
  await ping(talking)
  // By now the pong of the answering client, which the test cannot observe, has arrived.
  await delay(100)
  expect(gameHost.game.findByName('gone')?.isHere).toBe(true)
  beat(25)
  expect(await gone.closed).toBe(1006)
  await expect.poll(() => gameHost.game.findByName('gone')?.isHere).toBe(false)
  await ping(answering)
  await ping(talking)
  await Promise.all([answering.close(), talking.close()])
})

it('closes a socket that is alive but sends nothing for a day, and none that sends something', async () => {
  let at = Date.now()
  const { beat } = await startHeld(() => at)
  const [asleep, awake] = [await openSocket(gameHost.wsUrl), await openSocket(gameHost.wsUrl)]
  for (const [name, client] of Object.entries({ asleep, awake })) {
    client.send({ type: 'join', name })
    await client.next('welcome')
  }
  at += 23 * 3_600_000
  await ping(awake)
  at += 2 * 3_600_000
  beat(25)
  expect(await asleep.closed).toBe(4008)
  await ping(awake)
  await awake.close()
})

it('takes a player who disconnected while joining off the map', async () => {
  gameHost = await startGameHost()
  const client = await openSocket(gameHost.wsUrl)
  client.send({ type: 'join', name: 'Ada' })
  client.socket.terminate()
  await expect.poll(() => gameHost.game.findByName('ada')?.isHere).toBe(false)
  expect(gameHost.game.findByName('ada')?.holder).toBe(undefined)
})
