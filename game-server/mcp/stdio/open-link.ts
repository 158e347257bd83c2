import { WebSocket } from 'ws'
import { readServerMessage, type ServerMessage } from './server-message.ts'
import { Unreachable } from './unreachable.ts'

const openDeadlineMs = 8000
const answerDeadlineMs = 15_000
const maxMessageBytes = 1024 * 1024

/**
 * Opens a socket to the game.
 *
 * @throws Unreachable when the connection fails
 */
export async function openLink(url: string) {
  const socket = new WebSocket(url, {
    perMessageDeflate: false,
    handshakeTimeout: openDeadlineMs,
    maxPayload: maxMessageBytes,
  })
  const closed = new Promise<number>((resolve) => socket.once('close', resolve))

  await new Promise((resolve, reject) => {
    socket.once('open', resolve)
    socket.on('error', (cause) => reject(new Unreachable(`no connection to the game at ${url}`, { cause })))
  })
  return {
    isOpen: (): boolean => socket.readyState === WebSocket.OPEN,
    /** Resolves to the WebSocket close code once the socket is closed. */
    closed,
    /**
     * Sends a message and passes incoming messages to `read` until it returns an answer.
     *
     * @throws Unreachable when the socket closes first, or no answer comes within 15 s
     */
    ask: <Answer>(message: object, read: (message: ServerMessage) => Answer | undefined): Promise<Answer> =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(() => end(() => reject(new Unreachable('the game did not answer'))), answerDeadlineMs)
        const end = (settle: () => void): void => {
          clearTimeout(timer)
          socket.off('message', hear)
          socket.off('close', lose)
          settle()
        }
        const lose = (): void => end(() => reject(new Unreachable('the connection to the game broke')))
        const hear = (data: Buffer, isBinary: boolean): void => {
          const heard = isBinary ? undefined : readServerMessage(data.toString())
          const answer = heard && read(heard)
          if (answer !== undefined) end(() => resolve(answer))
        }
        socket.on('message', hear)
        socket.on('close', lose)
        socket.send(JSON.stringify(message), (error) => error && lose())
      }),
    close: (): void => socket.close(),
  }
}

export type Link = Awaited<ReturnType<typeof openLink>>
