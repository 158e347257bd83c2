import type { RawData, WebSocket } from 'ws'
import { type Log, toLogText } from '../../../src/log.ts'
import { sightRadius } from '../../core/fov.ts'
import { height, width } from '../../core/grid.ts'
import { readKey } from '../../core/read-key.ts'
import type { Game, Seated } from '../game.ts'
import type { Seat } from '../realms/realm.ts'
import type { AddressLimits } from './address-limits.ts'
import { type Audiences, delayMs } from './audiences.ts'
import { makeScreen, type Screen } from './make-screen.ts'
import { makeOutlet, type Outlet } from './outlet.ts'
import { type InputMessage, type JoinMessage, readMessage } from './read-message.ts'
import type { Talk } from './talk.ts'

const joinTimeoutMs = 10_000
const maxFaults = 10
/** What may come while a join is under way. */
const maxWaiting = 50

interface Options {
  readonly socket: WebSocket
  readonly address: string
  readonly game: Game
  readonly audiences: Audiences
  readonly addresses: AddressLimits
  readonly talk: Talk
  readonly limits: { readonly perSecond: number; readonly burst: number }
  readonly maxMessageBytes: number
  readonly now: () => number
  readonly log: Log
}

/** One socket, from its opening to its end. */
export interface Connection {
  readonly outlet: Outlet
  /** When it last said something. */
  readonly lastAt: () => number
  readonly seat: () => Seat | undefined
}

/** Speaks version 1 of the protocol over an open socket. */
export function serveConnection(options: Options): Connection {
  const { socket, address, game, audiences, addresses, talk, limits, maxMessageBytes, now, log } = options
  const outlet = makeOutlet(socket, now)
  const { send, sendError } = outlet
  let playing: { readonly seat: Seat; readonly screen: Screen; inputs: number } | undefined
  let isJoining = false
  let waiting: string[] = []
  let faults = 0
  let lastAt = now()

  const watcher = { send }
  const joinTimeout = setTimeout(() => outlet.close('no-join'), joinTimeoutMs)
  const holder = {
    send,
    replace() {
      playing?.screen.close()
      playing = undefined
      outlet.close('replaced')
    },
  }

  function stopPlaying(): void {
    if (!playing) return
    const { seat, screen } = playing
    playing = undefined
    screen.close()
    if (seat.holder !== holder) return
    seat.holder = undefined
    game.leave(seat)
  }

  async function join({ name, kind, mode, resumeToken: token, obs, watchable }: JoinMessage): Promise<void> {
    const waitMs = addresses.join(address)
    if (waitMs > 0) {
      outlet.slowDown(waitMs)
      return
    }
    const joined = await game.join({ name, kind, token, mode })
    if (joined.is === 'refused') {
      const { code, message, retryAfterMs } = joined
      sendError(code, message, retryAfterMs === undefined ? {} : { retryAfterMs })
    } else if (outlet.isOpen()) {
      joined.seat.isWatchable = watchable
      play(joined, obs ?? (joined.seat.owner.kind === 'agent' ? 'text' : 'delta'))
    } else if (!joined.seat.holder) game.leave(joined.seat)
  }

  function play({ seat, token, isResumed, requested }: Seated, form: Screen['form']): void {
    clearTimeout(joinTimeout)
    audiences.unwatch(watcher)
    playing?.screen.close()
    seat.holder?.replace()
    seat.holder = holder
    const { owner, realm, player, badges } = seat
    const welcome = {
      type: 'welcome',
      v: 1,
      you: { id: player, name: owner.name, kind: owner.kind, badges },
      realm: realm.id,
      mode: realm.mode,
      resumeToken: token,
      resumed: isResumed,
      ...(requested !== undefined && { requested, note: 'name_taken' }),
      obs: form,
      w: width,
      h: height,
      radius: sightRadius,
      limits: { inputPerSecond: limits.perSecond, burst: limits.burst, maxMessageBytes },
    }
    send(JSON.stringify(welcome))
    playing = { seat, screen: makeScreen(seat, form, send), inputs: 0 }
    playing.screen.refresh(0)
    talk.introduce(seat)
  }

  function input({ key, n, if: seq }: InputMessage): void {
    if (!playing) {
      if (!outlet.isTooBusy()) sendError('not_joined', 'send join first')
      return
    }
    const { seat, screen } = playing
    playing.inputs++
    const ack = n ?? playing.inputs
    if (seq !== undefined && screen.hasNewsSince(seq)) {
      sendError('stale', 'something changed before this key; here is how it looks now', { n: ack })
      screen.answer(ack)
    } else if (readKey(key) === 'look') {
      if (!outlet.isTooBusy()) screen.refresh(ack)
    } else press(seat, screen, key, ack)
  }

  function press(seat: Seat, screen: Screen, key: string, ack: number): void {
    const pressed = game.press(seat, key)
    if (pressed.is === 'pressed') {
      screen.answer(ack)
      return
    }
    const { code, message, keys, retryAfterMs } = pressed
    if (code === 'rate_limited') outlet.slowDown(retryAfterMs ?? 0, { n: ack })
    else sendError(code, message, { n: ack, ...(keys && { keys }) })
  }

  function watch(player: string | undefined): void {
    const found = talk.findWatchable(player)
    if (playing && !playing.seat.isOver)
      sendError('already_joined', 'this socket plays; watch over another one, or leave first')
    else if (found === 'watch_disabled') sendError(found, 'this player is not shown')
    else if (found === 'no_such_player') sendError(found, 'nobody of that name plays now')
    else {
      clearTimeout(joinTimeout)
      stopPlaying()
      const { name, kind } = found.owner
      send(JSON.stringify({ type: 'watching', player: name, kind, w: width, h: height, radius: sightRadius, delayMs }))
      audiences.watch(found, watcher)
    }
  }

  function say(text: string): void {
    if (!playing) sendError('not_joined', 'send join first')
    else {
      const refused = talk.say(playing.seat, text)
      if (refused) sendError(refused.code, refused.message, refused.more)
    }
  }

  function leave(): void {
    audiences.unwatch(watcher)
    stopPlaying()
    outlet.close('left')
  }

  function beginJoin(message: JoinMessage): void {
    if (playing && !playing.seat.isOver) {
      sendError('already_joined', 'this socket already plays')
      return
    }
    isJoining = true
    void join(message)
      .catch((error: unknown) => {
        log('server.error', { error: toLogText(error) })
        sendError('server_full', 'joining failed on our side; try again in a moment', { retryAfterMs: 1000 })
      })
      .finally(receiveWaiting)
  }

  /** Whatever came while a join was under way is for the one who has joined. */
  function receiveWaiting(): void {
    isJoining = false
    while (!isJoining) {
      const text = waiting.shift()
      if (text === undefined) return
      receive(text)
    }
  }

  function receive(text: string): void {
    const message = readMessage(text)
    if (message.type === 'bad') {
      sendError(message.code, message.message)
      if (++faults > maxFaults) outlet.close('faults')
    } else if (message.type === 'input') input(message)
    else if (message.type === 'join') beginJoin(message)
    else if (!outlet.isTooBusy())
      switch (message.type) {
        case 'watch':
          watch(message.player)
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
    if (!outlet.isOpen()) return
    if (!isJoining) receive(text)
    else if (waiting.length < maxWaiting) waiting.push(text)
    else outlet.close('flood')
  })
  // Pongs are frames like any other: who asks for many and reads none is slow.
  socket.on('ping', (data: Buffer) => {
    if (outlet.isOpen() && !outlet.isTooBusy()) outlet.pong(data)
  })
  // What is wrong with a frame closes the socket with the right code; there is nothing to add.
  socket.on('error', () => {})
  socket.on('close', () => {
    clearTimeout(joinTimeout)
    waiting = []
    audiences.unwatch(watcher)
    stopPlaying()
  })
  return { outlet, lastAt: () => lastAt, seat: () => playing?.seat }
}
