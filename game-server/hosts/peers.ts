import { once } from 'node:events'
import { WebSocket } from 'ws'
import type { HostOrder } from './host-order.ts'

/** A host that is there answers at once, or is too busy to be of use. */
const openMs = 1000
const answerMs = 5000
/** A line over which nothing was heard at so many looks is given up at the next. */
const mostSilentLooks = 2
const maxMessageBytes = 1024 * 1024
/** What waits for a host that reads nothing; whoever plays says far less. */
const maxUnreadBytes = 256 * 1024

/** Where hosts ask each other. */
export const hostsPath = '/api/hosts'

/** By this header one host tells another for whom it opens a socket. */
export const callerHeader = 'x-farthing-caller'

/**
 * A socket to another host, on behalf of somebody who has one to this host. It ends when that host stops reading, and when
 * nothing is heard of it: of one that stands still or has lost its power, the system would tell after many minutes.
 */
export interface Line {
  send(frame: string): void
  /** Nothing more is heard of it, nor that it is closed. */
  close(): void
}

/** What is done with what comes over it. */
export interface LineEnds {
  readonly hear: (frame: string) => void
  readonly closed: (code: number, reason: string) => void
}

interface Options {
  /** The same for all hosts of a database. */
  readonly key: string
  /** Where the sockets are, such as `/ws`. */
  readonly path: string
}

/** Speaks to the other hosts of the same database, at the addresses that they gave it. */
export function makePeers({ key, path }: Options) {
  const authorization = `Bearer ${key}`
  return {
    /** @throws Error when the host does not answer */
    async ask(address: string, order: HostOrder): Promise<unknown> {
      const response = await fetch(new URL(hostsPath, address), {
        method: 'POST',
        headers: { authorization, 'content-type': 'application/json' },
        body: JSON.stringify({ ask: order }),
        signal: AbortSignal.timeout(answerMs),
      })
      const answer: unknown = await response.json()
      if (!response.ok) throw new Error(`the game host at ${address} answered ${response.status}`)
      return answer
    },

    /** Opens a socket there; undefined when nobody opens. */
    async open(address: string, caller: string, { hear, closed }: LineEnds): Promise<Line | undefined> {
      if (address === '') return undefined
      const url = new URL(path, address.replace(/^http/, 'ws'))
      const socket = new WebSocket(url, {
        perMessageDeflate: false,
        handshakeTimeout: openMs,
        maxPayload: maxMessageBytes,
        headers: { authorization, [callerHeader]: caller },
      })
      let silentLooks = 0
      let isLeft = false
      const note = () => {
        silentLooks = 0
      }
      socket.on('pong', note)
      socket.on('message', (data: Buffer) => {
        note()
        if (!isLeft) hear(data.toString())
      })
      try {
        await once(socket, 'open')
      } catch {
        socket.terminate()
        return undefined
      }
      const asking = setInterval(() => {
        // Once may be our own fault: after a standstill here, what came meanwhile is read after this.
        if (silentLooks === mostSilentLooks) socket.terminate()
        else {
          silentLooks++
          socket.ping()
        }
      }, answerMs)
      // A socket that breaks is closed, too.
      socket.on('error', () => {})
      socket.on('close', (code, reason) => {
        clearInterval(asking)
        if (!isLeft) closed(code, reason.toString())
      })
      return {
        send(frame) {
          if (socket.readyState !== socket.OPEN) return
          if (socket.bufferedAmount > maxUnreadBytes) socket.terminate()
          else socket.send(frame)
        },
        close() {
          isLeft = true
          socket.close()
        },
      }
    },
  }
}

export type Peers = ReturnType<typeof makePeers>
