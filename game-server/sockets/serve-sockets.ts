import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { type WebSocket, WebSocketServer } from 'ws'
import type { Log } from '../../src/core/log.ts'
import { isBearer } from '../../src/http/is-bearer.ts'
import { readAddress } from '../../src/http/read-address.ts'
import { callerHeader } from '../hosts/peers.ts'
import type { Moderation } from '../moderation/moderation.ts'
import type { Game } from '../sessions/game.ts'
import { makeSpectators } from '../spectators/spectators.ts'
import type { AddressLimits } from './address-limits.ts'
import { type Connection, type OtherHosts, serveConnection } from './connection.ts'
import { makeTalk } from './talk.ts'

const maxMessageBytes = 1024
/** Each socket is pinged once in so many seconds; a different part of them each second. */
const beats = 25
const idleMs = 24 * 3_600_000
const retryMs = 3000
const maxSockets = 20_000

interface Options {
  readonly server: Server
  /** The path of the WebSocket endpoint, such as `/ws`. */
  readonly path: string
  /** Origins whose pages may open sockets, beside pages of this host; programs send no `Origin` and always may. */
  readonly origins: readonly string[]
  readonly game: Game
  readonly moderation: Moderation
  readonly inputLimits: { readonly perSecond: number; readonly burst: number }
  readonly addresses: AddressLimits
  /** The client's address: of the connection, or as a trusted proxy names it. */
  readonly addressOf: (request: IncomingMessage) => string
  readonly now: () => number
  readonly log: Log
  /** The other hosts of the same database, and the key with which they authenticate. */
  readonly peers?: (OtherHosts & { readonly key: string }) | undefined
}

/**
 * Whether the page has the same host as the socket that it opens. DNS rebinding gains nothing: sockets do not trust
 * cookies or host names, so such a page gets only what any program gets.
 */
const isOwnPage = (origin: string, host = ''): boolean => URL.canParse(origin) && new URL(origin).host === host

/** Attaches the game's WebSocket endpoint to an HTTP server. */
export function attachSockets(options: Options) {
  const {
    server,
    path,
    origins,
    game,
    moderation,
    inputLimits: limits,
    addresses,
    addressOf,
    now,
    log,
    peers,
  } = options
  const spectators = makeSpectators({ now })
  const talk = makeTalk({ game, moderation, now })
  const upgrades = new WebSocketServer({
    noServer: true,
    perMessageDeflate: false,
    // Each socket emits at most one message per turn of the event loop, so that a burst does not hold up the others.
    allowSynchronousEvents: false,
    maxPayload: maxMessageBytes,
    autoPong: false,
    clientTracking: false,
  })
  const connections = new Set<Open>()
  let isClosing = false
  let beat = 0

  interface Open extends Connection {
    readonly beat: number
    /** Whether a client opened it, and not another host. */
    readonly isOwn: boolean
    readonly check: () => void
  }

  /** The HTTP status with which a socket is refused; undefined when it may open, which is counted. */
  function refusalOf({ url, headers: { origin, host } }: IncomingMessage, address: string): string | undefined {
    if (url?.split('?')[0] !== path) return '404 Not Found'
    if (origin !== undefined && !origins.includes(origin) && !isOwnPage(origin, host)) return '403 Forbidden'
    if (isClosing || connections.size >= maxSockets) return '503 Service Unavailable'
    return addresses.open(address) ? undefined : '429 Too Many Requests'
  }

  /** The client for whom another host opens this socket; that host has counted the address already. */
  function callerOf({ url, headers }: IncomingMessage): string | undefined {
    const caller = headers[callerHeader]
    if (!peers || isClosing || url !== path || typeof caller !== 'string') return undefined
    return isBearer(headers.authorization, peers.key) ? caller : undefined
  }

  function upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    if (!readAddress(request)) {
      refuse(socket, '400 Bad Request')
      return
    }
    const caller = callerOf(request)
    if (caller !== undefined) {
      upgrades.handleUpgrade(request, socket, head, (opened) => open(opened, caller, false))
      return
    }
    const address = addressOf(request)
    const refusal = refusalOf(request, address)
    if (refusal !== undefined) {
      refuse(socket, refusal)
      return
    }
    // Called whether the handshake succeeds or not.
    socket.once('close', () => addresses.release(address))
    upgrades.handleUpgrade(request, socket, head, (opened) => open(opened, address, true))
  }

  function open(socket: WebSocket, address: string, isOwn: boolean): void {
    let isAlive = true
    const hear = () => {
      isAlive = true
    }
    for (const sign of ['message', 'ping', 'pong']) socket.on(sign, hear)
    const about = {
      socket,
      address,
      game,
      spectators,
      addresses,
      talk,
      limits,
      maxMessageBytes,
      now,
      log,
      peers: isOwn ? peers : undefined,
    }
    const connection: Open = {
      ...serveConnection(about),
      beat: connections.size % beats,
      isOwn,
      check() {
        if (!isAlive) socket.terminate()
        else if (now() - connection.lastAt() > idleMs) connection.writer.close('idle')
        else {
          isAlive = false
          socket.ping()
        }
      },
    }
    connections.add(connection)
    socket.on('close', () => connections.delete(connection))
  }

  server.on('upgrade', upgrade)
  const heartbeat = setInterval(() => {
    beat = (beat + 1) % beats
    for (const connection of connections) if (connection.beat === beat) connection.check()
    talk.update()
    // Sessions that are over are kept, because spectators see a death with a delay.
    spectators.dismiss((session) => !session.isOver && !game.isAwake(session))
  }, 1000)

  return {
    count: (): number => connections.size,
    watchersOf: spectators.countOf,
    /** Sends an announcement to all sockets that clients opened here; other hosts send it to theirs. */
    announce(text: string): void {
      const frame = JSON.stringify({ type: 'announce', text })
      for (const { writer, isOwn } of connections) if (isOwn) writer.send(frame)
    },
    /** Closes all sockets of a player. */
    drop(account: string): void {
      for (const connection of connections)
        if (connection.session()?.owner.key === account) connection.writer.close('kicked')
    },
    /** Tells all clients that the host restarts and when to reconnect, and closes their sockets; waits up to 2 s. */
    async close(): Promise<void> {
      isClosing = true
      clearInterval(heartbeat)
      server.off('upgrade', upgrade)
      const frame = JSON.stringify({ type: 'bye', reason: 'restart', retryMs })
      for (const { writer } of connections) {
        writer.send(frame)
        writer.close('restart')
      }
      const deadline = now() + 2000
      while (connections.size > 0 && now() < deadline) await new Promise((resolve) => setTimeout(resolve, 20))
    },
  }
}

export type Sockets = ReturnType<typeof attachSockets>

/** Answers a refused upgrade with an HTTP status. */
function refuse(socket: Duplex, status: string): void {
  socket.on('error', () => {})
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)
  setTimeout(() => socket.destroy(), 1000).unref()
}
