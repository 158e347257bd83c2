import type { RawData, WebSocket } from 'ws'
import { type Log, toLogText } from '../../src/core/log.ts'
import { sightRadius } from '../core/fov.ts'
import { height, width } from '../core/grid.ts'
import type { Line, Peers } from '../hosts/peers.ts'
import type { Game } from '../sessions/game.ts'
import { delayMs, type Spectators } from '../spectators/spectators.ts'
import type { AddressLimits } from './address-limits.ts'
import { findSeat } from './find-seat.ts'
import { makeInbox } from './inbox.ts'
import { type ClientMessage, type JoinMessage, readMessage, type WatchMessage } from './read-message.ts'
import { makeSeat } from './seat.ts'
import { makeSocketWriter } from './socket-writer.ts'
import type { Talk } from './talk.ts'

const joinTimeoutMs = 10_000
const maxFaults = 10

/** What a socket needs from the other hosts. */
export interface OtherHosts extends Pick<Peers, 'open'> {
  /** The address of another host that has a player who may be watched. */
  readonly findLively: () => Promise<string | undefined>
}

interface Options {
  readonly socket: WebSocket
  readonly address: string
  readonly game: Game
  readonly spectators: Spectators
  readonly addresses: AddressLimits
  readonly talk: Talk
  readonly limits: { readonly perSecond: number; readonly burst: number }
  readonly maxMessageBytes: number
  readonly now: () => number
  readonly log: Log
  /** The other hosts; absent where there are none, and for a socket that one of them opened. */
  readonly peers?: OtherHosts | undefined
}

/** Serves version 1 of the protocol on one socket, from its opening to its end. */
export function serveConnection(options: Options) {
  const { socket, address, game, spectators, addresses, talk, limits, maxMessageBytes, now, log, peers } = options
  const writer = makeSocketWriter(socket, now)
  const { send, sendError } = writer
  const told = { inputPerSecond: limits.perSecond, burst: limits.burst, maxMessageBytes }
  const seat = makeSeat({ writer, game, talk, limits: told })
  const inbox = makeInbox({ receive, onFlood: () => writer.close('flood') })
  /** The line to the host of this socket's player, which gets all messages. A spectator may still change hosts. */
  let line: { readonly far: Line; readonly isWatching: boolean } | undefined
  let faults = 0
  let lastAt = now()

  const watcher = { send }
  const joinTimeout = setTimeout(() => writer.close('no-join'), joinTimeoutMs)
  const openLine = peers && ((host: string) => peers.open(host, address, { hear: send, closed: writer.end }))

  /** Ends what the socket did before it plays: waiting for a join, or watching. */
  function stopWaiting(): void {
    clearTimeout(joinTimeout)
    spectators.unwatch(watcher)
  }

  function leaveLine(): void {
    line?.far.close()
    line = undefined
  }

  async function join(message: JoinMessage): Promise<void> {
    const waitMs = addresses.join(address)
    if (waitMs > 0) {
      writer.slowDown('chore', waitMs)
      return
    }
    const { obs, watchable } = message
    const found = await findSeat(message, { game, open: openLine, isWanted: writer.isOpen })
    if (found.is === 'refused') writer.refuse(found)
    // The client reconnects to the host that opened this socket, which then finds the right one.
    else if (found.is === 'elsewhere') writer.close('restart')
    else if (found.is === 'far') goOver(found.line, message)
    else if (writer.isOpen()) {
      const { session } = found
      session.isWatchable = watchable
      if (!watchable) spectators.hide(session)
      stopWaiting()
      leaveLine()
      seat.take(found, obs ?? (session.owner.kind === 'agent' ? 'text' : 'delta'))
    } else if (!found.session.holder) game.leave(found.session)
  }

  /** Connects this socket to another host from now on. */
  function goOver(far: Line, first: ClientMessage): void {
    stopWaiting()
    seat.leave()
    leaveLine()
    line = { far, isWatching: first.type === 'watch' }
    if (writer.isOpen()) far.send(JSON.stringify(first))
    else far.close()
  }

  async function watchFar(message: WatchMessage): Promise<void> {
    const host = await (message.player === undefined ? peers?.findLively() : game.findHost(message.player))
    const far = host === undefined ? undefined : await openLine?.(host)
    if (far) goOver(far, message)
    else sendError('no_such_player', 'nobody with that name is playing now')
  }

  function watch(message: WatchMessage): void {
    const found = talk.findWatchable(message.player)
    if (seat.isAlive()) sendError('already_joined', 'this socket is playing; watch on another one, or leave first')
    else if (found === 'watch_disabled') sendError(found, 'this player cannot be watched')
    else if (found === 'no_such_player') hold(watchFar(message), 'looking for this player failed')
    else {
      clearTimeout(joinTimeout)
      seat.leave()
      leaveLine()
      const { name, kind } = found.owner
      send(JSON.stringify({ type: 'watching', player: name, kind, w: width, h: height, radius: sightRadius, delayMs }))
      spectators.watch(found, watcher)
    }
  }

  function leave(): void {
    stopWaiting()
    seat.leave()
    writer.close('left')
  }

  function beginJoin(message: JoinMessage): void {
    if (seat.isAlive()) {
      if (!writer.isTooBusy()) sendError('already_joined', 'this socket is playing already')
      return
    }
    hold(join(message), 'joining failed')
  }

  /** Runs `work`; messages that arrive meanwhile wait until it has ended. `failed` tells the client that it failed. */
  function hold(work: Promise<void>, failed: string): void {
    inbox.hold(
      work.catch((error: unknown) => {
        log('server.error', { error: toLogText(error) })
        sendError('server_full', `${failed} because of an error on our side; try again in a moment`, {
          retryAfterMs: 1000,
        })
      }),
    )
  }

  function receive(text: string): void {
    if (line && !line.isWatching) {
      line.far.send(text)
      return
    }
    const message = readMessage(text)
    if (line && message.type !== 'watch' && message.type !== 'join') line.far.send(text)
    else if (message.type === 'bad') {
      sendError(message.code, message.message)
      if (++faults > maxFaults) writer.close('faults')
    } else if (message.type === 'input') seat.input(message)
    else if (message.type === 'join') beginJoin(message)
    else if (!writer.isTooBusy())
      switch (message.type) {
        case 'watch':
          watch(message)
          break
        case 'say':
          seat.say(message.text)
          break
        case 'ping':
          send('{"type":"pong"}')
          break
        case 'leave':
          leave()
          break
      }
  }

  socket.on('message', (data: RawData, isBinary: boolean) => {
    lastAt = now()
    if (writer.isOpen()) inbox.take(isBinary ? '' : data.toString())
  })
  // Pongs count towards the send buffer: a client that pings and does not read is closed as slow.
  socket.on('ping', (data: Buffer) => {
    if (writer.isOpen() && !writer.isTooBusy()) writer.pong(data)
  })
  // `ws` closes the socket with the right code after an invalid frame.
  socket.on('error', () => {})
  socket.on('close', () => {
    inbox.clear()
    stopWaiting()
    leaveLine()
    seat.leave()
  })
  return {
    writer,
    /** When the last message came from the client, in milliseconds since 1970. */
    lastAt: (): number => lastAt,
    session: seat.session,
  }
}

export type Connection = ReturnType<typeof serveConnection>
