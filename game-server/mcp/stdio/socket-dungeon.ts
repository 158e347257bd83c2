import { setTimeout as wait } from 'node:timers/promises'
import type { Dungeon, Joined, JoinRequest, Refusal, Seen } from '../../protocol/dungeon.ts'
import { type Link, openLink } from './open-link.ts'
import type { ServerMessage } from './server-message.ts'
import { Unreachable } from './unreachable.ts'

/** Delays between attempts to connect again; a host that restarts is back within seconds. */
const retriesMs = [250, 500, 1000, 2000, 4000, 4000]
const replaced = 4001

/** The join with which a character comes back, and whether its last life may be over. */
interface Return {
  readonly request: JoinRequest
  mayBeOver: boolean
}

/**
 * The game over its WebSocket: one socket for one character, opened again when it breaks. A key that was sent when it
 * broke is not sent again; the caller gets the present state.
 */
export function makeSocketDungeon(url: string): Dungeon {
  /** The characters that joined in this process, by token. */
  const returns = new Map<string, Return>()
  let playing: { link: Link; token: string; ending?: Seen } | undefined
  let inputs = 0
  let wasReached = false
  let last: Promise<unknown> = Promise.resolve()

  /** Runs calls one after the other, in their order, because a client may send several keys at once. */
  function inTurn<Answer>(act: () => Promise<Answer>): Promise<Answer> {
    const turn = last.then(act)
    last = turn.catch(() => undefined)
    return turn
  }

  async function reach(): Promise<Link> {
    for (const delayMs of wasReached ? retriesMs : []) {
      try {
        return await openLink(url)
      } catch {
        await wait(delayMs)
      }
    }
    return openLink(url)
  }

  async function join(request: JoinRequest, asked = request): Promise<Joined | Refusal> {
    playing?.link.close()
    playing = undefined
    const link = await reach()
    wasReached = true
    const { name, kind, mode, token: resumeToken } = asked
    const message = { type: 'join', v: 1, obs: 'both', name, kind, mode, resumeToken }
    const joined = await link.ask(message, readJoined()).catch((error: unknown) => {
      link.close()
      throw error
    })
    if (joined.is === 'refused') {
      link.close()
      return joined
    }
    playing = { link, token: joined.token }
    const back = { name: joined.name, kind, token: joined.token, mode: request.mode }
    returns.set(joined.token, { request: back, mayBeOver: false })
    return joined
  }

  /**
   * Joins again after a broken connection. A life in a daily dungeon is continued without naming the mode, because the
   * day may have changed. If that life may be over, the mode is sent, so that no life in another mode is joined.
   */
  const comeBack = ({ request, mayBeOver }: Return): Promise<Joined | Refusal> =>
    join(request, request.mode === 'daily' && !mayBeOver ? { ...request, mode: undefined } : request)

  /** Presses a key over the character's socket, or reconnects and returns the state after that. */
  async function press(token: string, key: string): Promise<Seen | Refusal> {
    const way = returns.get(token)
    if (!way) return refuse('not_joined', 'join first')
    if (playing?.token === token && (await wasReplaced(playing.link))) return playedElsewhere
    if (playing?.token === token && playing.ending)
      return key === 'look' ? playing.ending : refuse('dead', 'this life is over; join again to begin a new one')
    if (playing?.token !== token || !playing.link.isOpen()) {
      const back = await comeBack(way)
      // The life is lost: the next call begins another one in the same mode.
      if (back.is === 'refused' && back.code === 'life_lost') way.mayBeOver = true
      if (back.is === 'refused' || !playing) return back
      if (!back.isResumed) return withNote(back, 'Your life ended while you were away. This is a new one.')
    }
    const n = ++inputs
    const played = returns.get(token) ?? way
    try {
      played.mayBeOver = true
      const seen = await playing.link.ask({ type: 'input', key, n }, readSeen(n, key))
      played.mayBeOver = seen.is === 'seen' ? !seen.observation.you.alive : seen.code === 'dead'
      if (seen.is === 'seen' && seen.death) playing.ending = seen
      return seen
    } catch (error) {
      if (!(error instanceof Unreachable)) throw error
      if (await wasReplaced(playing.link)) return playedElsewhere
      const back = await comeBack(played).catch((cause: unknown) => {
        throw new Unreachable(error.message, { cause, wasAsked: true })
      })
      if (back.is === 'refused') {
        if (back.code === 'life_lost') played.mayBeOver = true
        return back
      }
      return withNote(
        back,
        back.isResumed
          ? 'The connection broke: your key may or may not have counted.'
          : 'The connection broke, and your life ended with that key. This is a new one.',
      )
    }
  }

  return {
    join: (request) => inTurn(() => join(request)),
    look: (token) => inTurn(() => press(token, 'look')),
    act: (token, key) => inTurn(() => press(token, key)),
  }
}

/** Whether the socket was closed because another one took over the character; waits for its close code. */
const wasReplaced = async (link: Link): Promise<boolean> => !link.isOpen() && (await link.closed) === replaced

const withNote = (seen: Seen, note: string): Seen => ({ ...seen, text: `* ${note}\n${seen.text}` })

const refuse = (code: Refusal['code'], message: string): Refusal => ({ is: 'refused', code, message })

const playedElsewhere = refuse('not_joined', 'this character is played from another place now; join to take it back')

function toRefusal({ code, message, keys, retryAfterMs }: Extract<ServerMessage, { type: 'error' }>): Refusal {
  return { is: 'refused', code, message, ...(keys && { keys }), ...(retryAfterMs !== undefined && { retryAfterMs }) }
}

function toSeen({ type, seq, ack, text, ...observation }: Extract<ServerMessage, { type: 'obs' }>): Seen {
  return { is: 'seen', text, observation }
}

/** Reads the answer to input `n`: an observation or an error; after the key that ended a life also the death. */
function readSeen(n: number, key: string) {
  let last: Seen | undefined
  return (message: ServerMessage): Seen | Refusal | undefined => {
    switch (message.type) {
      case 'obs':
        if (message.ack !== n) return undefined
        last = toSeen(message)
        return last.observation.you.alive || key === 'look' ? last : undefined
      case 'death': {
        if (!last) return undefined
        const { type, card, ...death } = message
        return { ...last, text: `${last.text}\n\n${card}`, death }
      }
      case 'error':
        return message.n === n ? toRefusal(message) : undefined
      case 'welcome':
        return undefined
    }
  }
}

/** Reads the answer to a join: the welcome with the first observation after it, or an error. */
function readJoined() {
  let welcome: Extract<ServerMessage, { type: 'welcome' }> | undefined
  return (message: ServerMessage): Joined | Refusal | undefined => {
    switch (message.type) {
      case 'welcome':
        welcome = message
        return undefined
      case 'obs': {
        if (!welcome) return undefined
        const { resumeToken: token, resumed: isResumed, you, requested } = welcome
        return { ...toSeen(message), token, isResumed, name: you.name, ...(requested !== undefined && { requested }) }
      }
      case 'error':
        return toRefusal(message)
      case 'death':
        return undefined
    }
  }
}
