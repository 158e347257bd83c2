import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { hasBody } from './limit-requests.ts'

/** How long a client may take for its part of an exchange, in milliseconds. Our own work is not counted. */
export interface Timeouts {
  /** To send the headers of a request. */
  readonly headersMs: number
  /** To send the whole request. */
  readonly requestMs: number
  /** The longest time in which the client reads nothing of what is written to it. */
  readonly stallMs: number
  /** To read the rest of a response that is complete on our side and waits in memory. */
  readonly answerMs: number
  readonly checkEveryMs: number
}

/**
 * A client that sends nothing or does not read is disconnected within 20 seconds; a stall may be noticed only after
 * twice its time. A large product over a slow line takes minutes. A file streamed from disk needs little memory and may
 * take as long as it makes progress.
 */
export const usualTimeouts: Timeouts = {
  headersMs: 10_000,
  requestMs: 15_000,
  stallMs: 9000,
  answerMs: 300_000,
  checkEveryMs: 1000,
}

interface Connection {
  readonly socket: Socket
  count: number
  /** Responses that were begun and are not known to be finished; pipelined requests wait for each other. */
  readonly open: ServerResponse[]
  /** The oldest response, if it is complete here but not yet sent, and since when. */
  leaving: { readonly response: ServerResponse; readonly since: number } | undefined
  /**
   * The value of `bytesRead` when the newest request was complete and, if it has a body, responded to: bytes after it
   * belong to a next request.
   */
  readBytes: number
}

/** Watches the connections of a server and closes those whose clients read too slowly or not at all. */
export function watchConnections(server: Server, { stallMs, answerMs, checkEveryMs }: Timeouts) {
  const connections = new Map<Duplex, Connection>()

  const forgetOver = ({ open }: Connection): ServerResponse | undefined => {
    while (open[0] && (open[0].writableFinished || open[0].destroyed)) open.shift()
    return open[0]
  }

  // Called when nothing moved in either direction. A client with an incomplete request is left to Node's timeouts,
  // which send 408.
  server.setTimeout(stallMs, (socket) => {
    const connection = connections.get(socket)
    const isIdle = connection !== undefined && forgetOver(connection) === undefined
    if (isIdle || socket.writableLength > 0) socket.destroy()
  })

  /** Most requests are complete when their headers are; of the others the body may come after the whole response. */
  const noteEnd = (connection: Connection, response: ServerResponse) => {
    const { req } = response
    const note = () => {
      connection.readBytes = connection.socket.bytesRead
    }
    if (!hasBody(req)) note()
    else
      response.once('finish', () => {
        if (req.complete) note()
        else req.once('close', note)
      })
  }

  const check = setInterval(() => {
    const now = performance.now()
    for (const [socket, connection] of connections) {
      const oldest = forgetOver(connection)
      if (!oldest?.writableEnded) connection.leaving = undefined
      else if (connection.leaving?.response !== oldest) connection.leaving = { response: oldest, since: now }
      else if (now - connection.leaving.since > answerMs) socket.destroy()
    }
  }, checkEveryMs)
  check.unref()
  server.on('close', () => clearInterval(check))

  return {
    /** Registers a response that is about to be made; returns the number of its request on the connection, from 1. */
    begin(socket: Socket, response: ServerResponse): number {
      let connection = connections.get(socket)
      if (!connection) {
        connection = { socket, count: 0, open: [], leaving: undefined, readBytes: 0 }
        connections.set(socket, connection)
        socket.once('close', () => connections.delete(socket))
      }
      forgetOver(connection)
      connection.open.push(response)
      noteEnd(connection, response)
      connection.count++
      return connection.count
    },

    /** Whether a response on this socket has been sent in part but not completely. */
    isAnswering(socket: Duplex): boolean {
      const connection = connections.get(socket)
      const oldest = connection && forgetOver(connection)
      return oldest?.headersSent === true
    },

    /** Closes the connections on which nothing is sent in either direction. Upgraded connections are not affected. */
    closeIdle(): void {
      for (const connection of connections.values())
        if (forgetOver(connection) === undefined && connection.socket.bytesRead === connection.readBytes)
          connection.socket.destroy()
    },
  }
}
