import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'

/** How long a client may take over what is its part, in milliseconds. Our own work is not counted. */
export interface Timeouts {
  /** To say what it wants. */
  readonly headersMs: number
  /** To send all of it. */
  readonly requestMs: number
  /** Without taking a byte of what is written to it. */
  readonly stallMs: number
  /** To take the rest of an answer that is complete on our side and waits in memory. */
  readonly answerMs: number
  readonly checkEveryMs: number
}

/**
 * Whoever sends nothing, or does not read, is gone within 20 seconds; a stall may be noticed after twice its time. A
 * large product over a bad line takes minutes; what is streamed from disk holds no memory and may take as long as it
 * moves.
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
  /** Answers that were begun and are not known to be over; pipelined requests wait for each other. */
  readonly open: ServerResponse[]
  /** The oldest answer, when it is complete here and not yet there, and since when. */
  leaving: { readonly response: ServerResponse; readonly since: number } | undefined
  /** How much had been read when the newest request and its answer were over: what came since is a part of another. */
  readBytes: number
}

/** Looks after the connections of a server whose clients may read slowly or not at all. */
export function watchConnections(server: Server, { stallMs, answerMs, checkEveryMs }: Timeouts) {
  const connections = new Map<Duplex, Connection>()

  const forgetOver = ({ open }: Connection): ServerResponse | undefined => {
    while (open[0] && (open[0].writableFinished || open[0].destroyed)) open.shift()
    return open[0]
  }

  // Comes when nothing moved in either direction. Who has not sent all of a request is left to Node, which says why.
  server.setTimeout(stallMs, (socket) => {
    const connection = connections.get(socket)
    const isIdle = connection !== undefined && forgetOver(connection) === undefined
    if (isIdle || socket.writableLength > 0) socket.destroy()
  })

  const noteEnd = (connection: Connection, response: ServerResponse) => {
    const note = () => {
      connection.readBytes = connection.socket.bytesRead
    }
    response.once('finish', () => {
      if (response.req.complete) note()
      else response.req.once('close', note)
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
    /** Notes an answer that is about to be made; tells the number of the request on its connection, from 1. */
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

    /** Whether a part of an answer was sent and the rest was not. */
    isAnswering(socket: Duplex): boolean {
      const connection = connections.get(socket)
      const oldest = connection && forgetOver(connection)
      return oldest?.headersSent === true
    },

    /** Ends the connections that nothing is sent on, either way. Those that were upgraded are none of them. */
    closeIdle(): void {
      for (const connection of connections.values())
        if (forgetOver(connection) === undefined && connection.socket.bytesRead === connection.readBytes)
          connection.socket.destroy()
    },
  }
}
