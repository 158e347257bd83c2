import type { RawData, WebSocket } from 'ws'
import { type Log, toLogText } from '../../src/core/log.ts'
import { sightRadius } from '../core/fov.ts'
import { height, width } from '../core/grid.ts'
import type { Line, Peers } from '../hosts/peers.ts'
import type { Session } from '../realms/realm.ts'
import type { Game, Joined } from '../sessions/game.ts'
import { takeKey } from '../sessions/press-key.ts'
import { delayMs, type Spectators } from '../spectators/spectators.ts'
import type { AddressLimits } from './address-limits.ts'
import { findSeat } from './find-seat.ts'
import { makeScreen, type Screen } from './make-screen.ts'
import {
  type ClientMessage,
  type InputMessage,
  type JoinMessage,
  readMessage,
  type WatchMessage,
} from './read-message.ts'
import { makeSocketWriter } from './socket-writer.ts'
import type { Talk } from './talk.ts'
import { toWelcome } from './to-welcome.ts'

const joinTimeoutMs = 10_000
const maxFaults = 10
/** How many messages may wait while a join is under way. */
const maxWaiting = 50

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
  let playing: { readonly session: Session; readonly screen: Screen; inputs: number } | undefined
  /** The line to the host of this socket's player, which gets all messages. A spectator may still change hosts. */
  let line: { readonly far: Line; readonly isWatching: boolean } | undefined
  let isJoining = false
  let waiting: string[] = []
  let faults = 0
  let lastAt = now()

  const watcher = { send }
  const joinTimeout = setTimeout(() => writer.close('no-join'), joinTimeoutMs)
  const giveWay = (why: 'replaced' | 'restart') => {
    playing?.screen.close()
    playing = undefined
    writer.close(why)
  }
  const holder = { send, replace: () => giveWay('replaced'), restart: () => giveWay('restart') }
  const openLine = peers && ((host: string) => peers.open(host, address, { hear: send, closed: writer.end }))

  function leaveLine(): void {
    line?.far.close()
    line = undefined
  }

  function stopPlaying(): void {
    if (!playing) return
    const { session, screen } = playing
    playing = undefined
    screen.close()
    if (session.holder !== holder) return
    session.holder = undefined
    game.leave(session)
  }

  async function join(message: JoinMessage): Promise<void> {
    const waitMs = addresses.join(address)
    if (waitMs > 0) {
      writer.slowDown(waitMs)
      return
    }
    const { obs, watchable } = message
    const seat = await findSeat(message, { game, open: openLine, isWanted: writer.isOpen })
    if (seat.is === 'refused') writer.refuse(seat)
    // The client reconnects to the host that opened this socket, which then finds the right one.
    else if (seat.is === 'elsewhere') writer.close('restart')
    else if (seat.is === 'far') goOver(seat.line, message)
    else if (writer.isOpen()) {
      seat.session.isWatchable = watchable
      if (!watchable) spectators.hide(seat.session)
      play(seat, obs ?? (seat.session.owner.kind === 'agent' ? 'text' : 'delta'))
    } else if (!seat.session.holder) game.leave(seat.session)
  }

  /** Connects this socket to another host from now on. */
  function goOver(far: Line, first: ClientMessage): void {
    clearTimeout(joinTimeout)
    spectators.unwatch(watcher)
    stopPlaying()
    leaveLine()
    line = { far, isWatching: first.type === 'watch' }
    if (writer.isOpen()) far.send(JSON.stringify(first))
    else far.close()
  }

  function play(joined: Joined, form: Screen['form']): void {
    const { session } = joined
    clearTimeout(joinTimeout)
    spectators.unwatch(watcher)
    leaveLine()
    // A player who begins again after a death gets no more events from the old realm.
    stopPlaying()
    session.holder?.replace()
    session.holder = holder
    send(JSON.stringify({ ...toWelcome(joined), obs: form, w: width, h: height, radius: sightRadius, limits: told }))
    playing = { session, screen: makeScreen(session, form, send), inputs: 0 }
    playing.screen.begin()
    talk.introduce(session)
  }

  function input({ key, n, if: seq }: InputMessage): void {
    if (!playing) {
      if (!writer.isTooBusy()) sendError('not_joined', 'send join first')
      return
    }
    const { session, screen } = playing
    playing.inputs++
    const ack = n ?? playing.inputs
    if (seq !== undefined && screen.hasNewsSince(seq)) {
      // This reply costs as much as that to a pressed key, so it counts as one.
      const waitMs = takeKey(session)
      if (waitMs > 0) {
        writer.slowDown(waitMs, { n: ack })
        return
      }
      sendError('stale', 'something changed before this key arrived, so it was not pressed; here is how it looks now', {
        n: ack,
      })
      screen.answer(ack)
    } else press(session, screen, key, ack)
  }

  function press(session: Session, screen: Screen, key: string, ack: number): void {
    const pressed = game.press(session, key)
    if (pressed.is === 'pressed') showWritten(session, screen, () => screen.answer(ack))
    else if (pressed.is === 'refused') writer.refuse(pressed, ack)
    else if (!writer.isTooBusy({ n: ack })) showWritten(session, screen, () => screen.refresh(ack))
  }

  /** Answers once the key is on disk, where hosts share a database: another host must be able to go on from there. */
  function showWritten(session: Session, screen: Screen, show: () => void): void {
    game.whenWritten(session, (isKept) => {
      if (isKept && playing?.screen === screen) show()
    })
  }

  async function watchFar(message: WatchMessage): Promise<void> {
    const host = await (message.player === undefined ? peers?.findLively() : game.findHost(message.player))
    const far = host === undefined ? undefined : await openLine?.(host)
    if (far) goOver(far, message)
    else sendError('no_such_player', 'nobody with that name is playing now')
  }

  function watch(message: WatchMessage): void {
    const found = talk.findWatchable(message.player)
    if (playing && !playing.session.isOver)
      sendError('already_joined', 'this socket is playing; watch on another one, or leave first')
    else if (found === 'watch_disabled') sendError(found, 'this player cannot be watched')
    else if (found === 'no_such_player') hold(watchFar(message), 'looking for this player failed')
    else {
      clearTimeout(joinTimeout)
      stopPlaying()
      leaveLine()
      const { name, kind } = found.owner
      send(JSON.stringify({ type: 'watching', player: name, kind, w: width, h: height, radius: sightRadius, delayMs }))
      spectators.watch(found, watcher)
    }
  }

  function say(text: string): void {
    if (!playing) sendError('not_joined', 'send join first')
    else {
      const refused = talk.say(playing.session, text)
      if (refused) sendError(refused.code, refused.message, refused.more)
    }
  }

  function leave(): void {
    spectators.unwatch(watcher)
    stopPlaying()
    writer.close('left')
  }

  function beginJoin(message: JoinMessage): void {
    if (playing && !playing.session.isOver) {
      if (!writer.isTooBusy()) sendError('already_joined', 'this socket is playing already')
      return
    }
    hold(join(message), 'joining failed')
  }

  /** Runs `work`; messages that arrive meanwhile wait until it has ended. `failed` tells the client that it failed. */
  function hold(work: Promise<void>, failed: string): void {
    isJoining = true
    void work
      .catch((error: unknown) => {
        log('server.error', { error: toLogText(error) })
        sendError('server_full', `${failed} because of an error on our side; try again in a moment`, {
          retryAfterMs: 1000,
        })
      })
      .finally(receiveWaiting)
  }

  /** Handles the messages that arrived while a join was under way. */
  function receiveWaiting(): void {
    isJoining = false
    while (!isJoining) {
      const text = waiting.shift()
      if (text === undefined) return
      receive(text)
    }
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
    } else if (message.type === 'input') input(message)
    else if (message.type === 'join') beginJoin(message)
    else if (!writer.isTooBusy())
      switch (message.type) {
        case 'watch':
          watch(message)
          break
        case 'say':
          say(message.text)
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
    const text = isBinary ? '' : data.toString()
    if (!writer.isOpen()) return
    if (!isJoining) receive(text)
    else if (waiting.length < maxWaiting) waiting.push(text)
    else writer.close('flood')
  })
  // Pongs count towards the send buffer: a client that pings and does not read is closed as slow.
  socket.on('ping', (data: Buffer) => {
    if (writer.isOpen() && !writer.isTooBusy()) writer.pong(data)
  })
  // `ws` closes the socket with the right code after an invalid frame.
  socket.on('error', () => {})
  socket.on('close', () => {
    clearTimeout(joinTimeout)
    waiting = []
    leaveLine()
    spectators.unwatch(watcher)
    stopPlaying()
  })
  return {
    writer,
    /** When the last message came from the client, in milliseconds since 1970. */
    lastAt: (): number => lastAt,
    session: (): Session | undefined => playing?.session,
  }
}

export type Connection = ReturnType<typeof serveConnection>
