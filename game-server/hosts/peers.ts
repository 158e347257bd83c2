import { once } from 'node:events'
import { WebSocket } from 'ws'
import type { HostOrder } from './host-order.ts'

/** Timeouts of a handshake and of a request. A healthy host answers at once. */
const openMs = 1000
const answerMs = 5000
/** A line that was silent at so many checks in a row is closed at the next one. */
const mostSilentLooks = 2
const maxMessageBytes = 1024 * 1024
/** How much may wait to be sent to a host that does not read; players send far less. */
const maxUnreadBytes = 256 * 1024

/** The path of requests between hosts. */
export const hostsPath = '/api/hosts'

/** The header in which one host names the client for whom it opens a socket to another. */
export const callerHeader = 'x-farthing-caller'

/**
 * A socket to another host, on behalf of a client of this host. It is closed when that host stops reading or is silent:
 * TCP alone would take many minutes to notice that a host hangs or has lost its power.
 */
export interface Line {
  send(frame: string): void
  /** Closes the socket; neither `hear` nor `closed` is called after that. */
  close(): void
}

/** Callbacks for the messages from a line and for its end. */
export interface LineEnds {
  readonly hear: (frame: string) => void
  readonly closed: (code: number, reason: string) => void
}

interface Options {
  /** The secret that all hosts of a database share. */
  readonly key: string
  /** The path of the WebSocket endpoint, such as `/ws`. */
  readonly path: string
}

/** Sends requests and opens sockets to the other hosts of the same database. */
export function makePeers({ key, path }: Options) {
  const authorization = `Bearer ${key}`
  return {
    /** @throws Error when the host does not answer in time or answers with an error status */
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

    /** Opens a socket to another host; undefined when it does not accept it. */
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
        // One silent check proves nothing: after a stall of this process, this timer runs before pending input is read.
        if (silentLooks === mostSilentLooks) socket.terminate()
        else {
          silentLooks++
          socket.ping()
        }
      }, answerMs)
      // An error is followed by `close`, which handles it.
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
