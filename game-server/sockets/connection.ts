import type { RawData, WebSocket } from 'ws'
import { type Log, toLogText } from '../../src/core/log.ts'
import { sightRadius } from '../core/fov.ts'
import { height, width } from '../core/grid.ts'
import type { Session } from '../realms/realm.ts'
import type { Game, Joined } from '../sessions/game.ts'
import { delayMs, type Spectators } from '../spectators/spectators.ts'
import type { AddressLimits } from './address-limits.ts'
import { makeScreen, type Screen } from './make-screen.ts'
import { type InputMessage, type JoinMessage, readMessage } from './read-message.ts'
import { makeSocketWriter } from './socket-writer.ts'
import type { Talk } from './talk.ts'

const joinTimeoutMs = 10_000
const maxFaults = 10
/** What may come while a join is under way. */
const maxWaiting = 50

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
}

/** Speaks version 1 of the protocol over one socket, from its opening to its end. */
export function serveConnection(options: Options) {
  const { socket, address, game, spectators, addresses, talk, limits, maxMessageBytes, now, log } = options
  const writer = makeSocketWriter(socket, now)
  const { send, sendError } = writer
  let playing: { readonly session: Session; readonly screen: Screen; inputs: number } | undefined
  let isJoining = false
  let waiting: string[] = []
  let faults = 0
  let lastAt = now()

  const watcher = { send }
  const joinTimeout = setTimeout(() => writer.close('no-join'), joinTimeoutMs)
  const holder = {
    send,
    replace() {
      playing?.screen.close()
      playing = undefined
      writer.close('replaced')
    },
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

  async function join({ name, kind, mode, resumeToken: token, obs, watchable }: JoinMessage): Promise<void> {
    const waitMs = addresses.join(address)
    if (waitMs > 0) {
      writer.slowDown(waitMs)
      return
    }
    const joined = await game.join({ name, kind, token, mode })
    if (joined.is === 'refused') {
      const { code, message, retryAfterMs } = joined
      sendError(code, message, retryAfterMs === undefined ? {} : { retryAfterMs })
    } else if (writer.isOpen()) {
      joined.session.isWatchable = watchable
      if (!watchable) spectators.hide(joined.session)
      play(joined, obs ?? (joined.session.owner.kind === 'agent' ? 'text' : 'delta'))
    } else if (!joined.session.holder) game.leave(joined.session)
  }

  function play({ session, token, isResumed, requested }: Joined, form: Screen['form']): void {
    clearTimeout(joinTimeout)
    spectators.unwatch(watcher)
    // Who begins anew after a death is told nothing more of where they died.
    stopPlaying()
    session.holder?.replace()
    session.holder = holder
    const { owner, realm, player, badges } = session
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
    playing = { session, screen: makeScreen(session, form, send), inputs: 0 }
    playing.screen.refresh(0)
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
      sendError('stale', 'something changed before this key; here is how it looks now', { n: ack })
      screen.answer(ack)
    } else press(session, screen, key, ack)
  }

  function press(session: Session, screen: Screen, key: string, ack: number): void {
    const pressed = game.press(session, key)
    if (pressed.is === 'pressed') {
      screen.answer(ack)
      return
    }
    if (pressed.is === 'look') {
      if (!writer.isTooBusy({ n: ack })) screen.refresh(ack)
      return
    }
    const { code, message, keys, retryAfterMs } = pressed
    if (code === 'rate_limited') writer.slowDown(retryAfterMs ?? 0, { n: ack })
    else sendError(code, message, { n: ack, ...(keys && { keys }) })
  }

  function watch(player: string | undefined): void {
    const found = talk.findWatchable(player)
    if (playing && !playing.session.isOver)
      sendError('already_joined', 'this socket plays; watch over another one, or leave first')
    else if (found === 'watch_disabled') sendError(found, 'this player is not shown')
    else if (found === 'no_such_player') sendError(found, 'nobody of that name plays now')
    else {
      clearTimeout(joinTimeout)
      stopPlaying()
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
      if (++faults > maxFaults) writer.close('faults')
    } else if (message.type === 'input') input(message)
    else if (message.type === 'join') beginJoin(message)
    else if (!writer.isTooBusy())
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
    if (!writer.isOpen()) return
    if (!isJoining) receive(text)
    else if (waiting.length < maxWaiting) waiting.push(text)
    else writer.close('flood')
  })
  // Pongs are frames like any other: who asks for many and reads none is slow.
  socket.on('ping', (data: Buffer) => {
    if (writer.isOpen() && !writer.isTooBusy()) writer.pong(data)
  })
  // What is wrong with a frame closes the socket with the right code; there is nothing to add.
  socket.on('error', () => {})
  socket.on('close', () => {
    clearTimeout(joinTimeout)
    waiting = []
    spectators.unwatch(watcher)
    stopPlaying()
  })
  return {
    writer,
    /** When it last said something. */
    lastAt: (): number => lastAt,
    session: (): Session | undefined => playing?.session,
  }
}

export type Connection = ReturnType<typeof serveConnection>
