import { setTimeout as delay } from 'node:timers/promises'
import { expect } from 'vitest'
import { openSocket, type SocketClient } from './socket-client.ts'

const thinkMs = 250

/** A player who waits in the dungeon, and rejoins at any host when their own is gone. */
export interface StormPlayer {
  readonly name: string
  token: string | undefined
  realm: string
  /** The last turn of this life that a host has confirmed. */
  answered: number
  /** How often a life was resumed on another socket. */
  resumed: number
}

export const makeStormPlayer = (name: string): StormPlayer => ({
  name,
  token: undefined,
  realm: '',
  answered: 0,
  resumed: 0,
})

/** The next message of this type; undefined if the socket closes or nothing comes. */
async function hear(client: SocketClient, type: string): Promise<Record<string, unknown> | undefined> {
  // It times out by itself.
  const answer = client.next(type).catch(() => undefined)
  return Promise.race([answer, client.closed.then(() => undefined)])
}

/**
 * Joins at a host.
 *
 * @returns the socket; undefined if the host did not admit the player
 */
export async function comeToHost(player: StormPlayer, wsUrl: string): Promise<SocketClient | undefined> {
  const client = await openSocket(wsUrl).catch(() => undefined)
  if (!client) return undefined
  const { name, token } = player
  client.send({ type: 'join', name, kind: 'agent', obs: 'json', ...(token !== undefined && { resumeToken: token }) })
  const welcome = await hear(client, 'welcome')
  const first = welcome && (await hear(client, 'obs'))
  if (!first) {
    client.socket.terminate()
    return undefined
  }
  const turn = Number(first['turn'])
  if (welcome['resumed'] === true && welcome['realm'] === player.realm) {
    // A confirmed turn is never lost.
    expect(turn, `${name} lost keys that were answered`).toBeGreaterThanOrEqual(player.answered)
    player.resumed++
  }
  Object.assign(player, { token: String(welcome['resumeToken']), realm: String(welcome['realm']), answered: turn })
  return client
}

/** Presses keys until the host is gone, the life is over or the test ends. */
export async function playThere(player: StormPlayer, client: SocketClient, isOver: () => boolean): Promise<void> {
  for (let n = 1; !isOver(); n++) {
    client.send({ type: 'input', key: '.', n })
    const answer = await hear(client, 'obs')
    if (!answer || client.frames.some(({ type }) => type === 'death')) break
    player.answered = Number(answer['turn'])
    await delay(thinkMs)
  }
  client.socket.terminate()
}
