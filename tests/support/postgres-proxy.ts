import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { z } from 'zod'

/** Which message of an exchange is lost: the answer after execution, or the question before it. */
export type Loss = 'answer' | 'question'

const readyForQuery = 'Z'.charCodeAt(0)

/** Counts the answers in the server's output: each ends with ReadyForQuery. */
function makeAnswerCounter(): (chunk: Buffer) => number {
  let rest = Buffer.alloc(0)
  return (chunk) => {
    rest = Buffer.concat([rest, chunk])
    let answers = 0
    while (rest.length >= 5) {
      const end = 1 + rest.readUInt32BE(1)
      if (rest.length < end) break
      if (rest[0] === readyForQuery) answers++
      rest = rest.subarray(end)
    }
    return answers
  }
}

/**
 * A proxy for a PostgreSQL server that can be cut at a chosen exchange.
 *
 * @param to URL of the database behind it
 */
export async function startPostgresProxy(to: string) {
  const target = new URL(to)
  const state: { loses: Loss | undefined; after: number; lost: number } = { loses: undefined, after: 0, lost: 0 }

  const open = new Set<Socket>()
  let carried = 0
  let refuses = false

  function carry(client: Socket): void {
    if (refuses) {
      client.destroy()
      return
    }
    carried++
    open.add(client)
    client.on('close', () => open.delete(client))
    const server = connect(Number(target.port), target.hostname)
    const cut = (): void => {
      state.loses = undefined
      state.lost++
      client.destroy()
      server.destroy()
    }
    const count = makeAnswerCounter()
    for (const [one, other] of [
      [client, server],
      [server, client],
    ] as const) {
      one.on('error', () => other.destroy())
      one.on('close', () => other.destroy())
    }
    client.on('data', (chunk) => {
      if (state.loses === 'question' && state.after-- <= 0) cut()
      else server.write(chunk)
    })
    server.on('data', (chunk) => {
      const answers = count(chunk)
      if (state.loses === 'answer' && answers > 0) {
        state.after -= answers
        if (state.after < 0) {
          cut()
          return
        }
      }
      client.write(chunk)
    })
  }

  const proxy = createServer(carry)
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const { port } = z.object({ port: z.number() }).parse(proxy.address())
  return {
    url: Object.assign(new URL(to), { host: `127.0.0.1:${port}` }).href,
    /** Lets `after` more exchanges succeed, and loses the next one. */
    lose(loss: Loss, after: number): void {
      Object.assign(state, { loses: loss, after })
    },
    /** Stops losing. @returns whether an exchange was lost */
    stop(): boolean {
      const wasArmed = state.loses !== undefined
      state.loses = undefined
      return !wasArmed
    },
    /** Breaks every connection. */
    cut(): void {
      for (const client of open) client.destroy()
    },
    /** Sets whether new connections are refused. */
    refuse(isRefused: boolean): void {
      refuses = isRefused
    },
    /** The number of connections so far. */
    carried: (): number => carried,
    async close(): Promise<void> {
      for (const client of open) client.destroy()
      proxy.close()
      await once(proxy, 'close')
    },
  }
}
