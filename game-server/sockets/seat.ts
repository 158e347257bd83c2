import { sightRadius } from '../core/fov.ts'
import { height, width } from '../core/grid.ts'
import type { Session } from '../realms/realm.ts'
import type { Game } from '../sessions/game.ts'
import type { Joined } from '../sessions/join-game.ts'
import { takeKey } from '../sessions/press-key.ts'
import { makeScreen, type Screen } from './make-screen.ts'
import type { InputMessage } from './read-message.ts'
import type { SocketWriter } from './socket-writer.ts'
import type { Talk } from './talk.ts'
import { toWelcome } from './to-welcome.ts'

interface Options {
  readonly writer: SocketWriter
  readonly game: Game
  readonly talk: Talk
  /** The limits that the `welcome` message tells the client. */
  readonly limits: { readonly inputPerSecond: number; readonly burst: number; readonly maxMessageBytes: number }
}

/** The session that a socket plays, if any: its keys, its remarks, and how it is shown. */
export function makeSeat({ writer, game, talk, limits }: Options) {
  const { send, sendError } = writer
  let playing: { readonly session: Session; readonly screen: Screen; inputs: number } | undefined

  const giveWay = (why: 'replaced' | 'restart') => {
    playing?.screen.close()
    playing = undefined
    writer.close(why)
  }
  const holder = { send, replace: () => giveWay('replaced'), restart: () => giveWay('restart') }

  function leave(): void {
    if (!playing) return
    const { session, screen } = playing
    playing = undefined
    screen.close()
    if (session.holder !== holder) return
    session.holder = undefined
    game.leave(session)
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

  return {
    /** Plays a session from now on, in place of the socket that played it and of the session that this one played. */
    take(joined: Joined, form: Screen['form']): void {
      const { session } = joined
      // A player who begins again after a death gets no more events from the old realm.
      leave()
      session.holder?.replace()
      session.holder = holder
      send(JSON.stringify({ ...toWelcome(joined), obs: form, w: width, h: height, radius: sightRadius, limits }))
      playing = { session, screen: makeScreen(session, form, send), inputs: 0 }
      playing.screen.begin()
      talk.introduce(session)
    },

    leave,

    /** Presses a key, unless something was shown since the state to which the client says that it answers. */
    input({ key, n, if: seq }: InputMessage): void {
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
          writer.slowDown('key', waitMs, { n: ack })
          return
        }
        sendError(
          'stale',
          'something changed before this key arrived, so it was not pressed; here is how it looks now',
          { n: ack },
        )
        screen.answer(ack)
      } else press(session, screen, key, ack)
    },

    say(text: string): void {
      if (!playing) sendError('not_joined', 'send join first')
      else {
        const refused = talk.say(playing.session, text)
        if (refused) sendError(refused.code, refused.message, refused.more)
      }
    },

    session: (): Session | undefined => playing?.session,
    /** Whether a life is under way. */
    isAlive: (): boolean => playing !== undefined && !playing.session.isOver,
  }
}
