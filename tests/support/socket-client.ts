import { once } from 'node:events'
import WebSocket from 'ws'
import { z } from 'zod'

const frame = z.looseObject({ type: z.string() })
/** One message of the host. */
export type Frame = z.output<typeof frame>

/** A client that knows nothing of the game: it sends objects and keeps what it receives. */
export interface SocketClient {
  readonly socket: WebSocket
  /** Received messages that were not taken yet, oldest first. */
  readonly frames: Frame[]
  send(message: object): void
  /** Takes the next message of one of these types; earlier ones of other types are left. */
  next(...types: readonly string[]): Promise<Frame>
  /** The close code. */
  readonly closed: Promise<number>
  close(): Promise<void>
}

/** The timeout in milliseconds of a test on a busy machine, not of players. */
const patienceMs = 20_000

/** Opens a socket and waits until it is open. */
export async function openSocket(url: string, options: WebSocket.ClientOptions = {}): Promise<SocketClient> {
  const socket = new WebSocket(url, { perMessageDeflate: false, ...options })
  const frames: Frame[] = []
  const waiting = new Set<() => void>()
  socket.on('message', (data: Buffer) => {
    frames.push(frame.parse(JSON.parse(data.toString())))
    for (const look of waiting) look()
  })
  const closed = new Promise<number>((resolve) => socket.once('close', resolve))
  await once(socket, 'open')
  // After an error the socket also emits `close`.
  socket.on('error', () => {})
  return {
    socket,
    frames,
    closed,
    send: (message) => socket.send(JSON.stringify(message)),
    next: (...types) =>
      new Promise((resolve, reject) => {
        const stop = setTimeout(() => {
          waiting.delete(look)
          const had = frames.map(({ type: is }) => is).join(', ')
          reject(
            new Error(`no ${types.join(' or ')} came, but: ${had || 'nothing'}; socket state ${socket.readyState}`),
          )
        }, patienceMs)
        const look = () => {
          const at = frames.findIndex(({ type: is }) => types.includes(is))
          const [found] = at < 0 ? [] : frames.splice(at, 1)
          if (!found) return
          clearTimeout(stop)
          waiting.delete(look)
          resolve(found)
        }
        waiting.add(look)
        look()
      }),
    async close() {
      socket.close()
      await closed
    },
  }
}
