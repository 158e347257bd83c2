import { once } from 'node:events'
import WebSocket from 'ws'

/** Keys that move a player or hit what is in the way, which is what players mostly press. */
const keys = ['north', 'south', 'east', 'west', 'northeast', 'southwest', 'northwest', 'southeast', 'f', '.']
const openedAtOnce = 50
const lateMs = 1000

/** A player that is connected by a socket. */
export interface GamePlayer {
  /** Presses a key; resolves with its answer, or at once if answers have no number to match. */
  press(key: string): Promise<void>
  close(): void
}

/** Connects players, 50 at a time. */
export async function gatherPlayers(count: number, open: (name: string) => Promise<GamePlayer>): Promise<GamePlayer[]> {
  const players: GamePlayer[] = []
  while (players.length < count) {
    const names = Array.from(
      { length: Math.min(openedAtOnce, count - players.length) },
      (_, at) => `p${players.length + at}`,
    )
    players.push(...(await Promise.all(names.map(open))))
  }
  return players
}

/** Lets all players press keys at random times. Returns how long they waited for answers in ms, ascending. */
export async function playTogether(
  players: readonly GamePlayer[],
  { perSecond, seconds }: { perSecond: number; seconds: number },
): Promise<number[]> {
  const waits: number[] = []
  let pressed = 0
  const until = performance.now() + seconds * 1000
  const think = () => (-Math.log(1 - Math.random()) * 1000) / perSecond
  const live = async (player: GamePlayer): Promise<void> => {
    for (;;) {
      const pauseMs = think()
      if (performance.now() + pauseMs >= until) return
      await new Promise((resolve) => setTimeout(resolve, pauseMs))
      // Players do not wait for the answer, so that a slow server gets as many keys as a fast one.
      const from = performance.now()
      pressed++
      void player
        .press(keys[Math.floor(Math.random() * keys.length)] ?? '.')
        .then(() => waits.push(performance.now() - from))
    }
  }
  await Promise.all(players.map(live))
  await new Promise((resolve) => setTimeout(resolve, lateMs))
  // Keys without an answer by now count as answered after `lateMs`, which is too late for a game.
  while (waits.length < pressed) waits.push(lateMs)
  return waits.sort((one, other) => one - other)
}

interface OurOptions {
  /** Form of the observations; text costs less than map deltas. */
  readonly obs?: 'delta' | 'text'
  /** Local address from which the player connects. */
  readonly localAddress?: string
}

/** Connects a player to our game host; a player who dies joins again. */
export async function openOurPlayer(
  url: string,
  name: string,
  { obs = 'delta', localAddress }: OurOptions = {},
): Promise<GamePlayer> {
  const socket = new WebSocket(url, { perMessageDeflate: false, ...(localAddress && { localAddress }) })
  const join = JSON.stringify({ type: 'join', name, kind: 'agent', obs })
  const asked = new Map<string, () => void>()
  let n = 0
  const seated = new Promise<void>((resolve) => {
    socket.on('message', (data: Buffer) => {
      const text = data.toString('latin1', 0, 200)
      if (/^{"type":"(snapshot|obs)"/.test(text)) resolve()
      // Only the beginning of a frame is parsed; otherwise the load generator would measure itself.
      const number = /"ack":(\d+)|"n":(\d+)/.exec(text)
      const ack = number?.[1] ?? number?.[2] ?? ''
      asked.get(ack)?.()
      asked.delete(ack)
      if (text.startsWith('{"type":"death"')) socket.send(join)
    })
  })
  await once(socket, 'open')
  socket.send(join)
  await seated
  return {
    press: (key) =>
      new Promise((resolve) => {
        n++
        asked.set(String(n), resolve)
        socket.send(JSON.stringify({ type: 'input', key, n }))
      }),
    close: () => socket.terminate(),
  }
}
