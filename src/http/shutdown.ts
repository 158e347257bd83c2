import type { Server } from 'node:http'
import { Server as NetServer } from 'node:net'

/** The milliseconds that a client may still take for an incomplete request once no new connections are accepted. */
interface SendTimes {
  /** For the headers. Browsers open connections in advance and may never send any. */
  readonly headersMs: number
  /** For the whole request. */
  readonly requestMs: number
}

interface Options extends Partial<SendTimes> {
  /** Servers of `makeGuardedServer`, which all begin to close at the same time. */
  readonly servers: readonly Server[]
  /** Called once before anything is closed, to refuse new work and to notify sockets. */
  readonly begin?: () => void
  /** Awaited when no request is left: settlements that must reach a final state, databases to close. */
  readonly settle?: () => Promise<void>
  /** Called after `workMs`: work that has not begun to settle by then must not be charged any more. */
  readonly late?: () => void
  readonly workMs?: number
  /** Milliseconds after which unfinished requests are cut off. */
  readonly answerMs?: number
  /**
   * Milliseconds after the signal when the program exits, even if it is not settled: the ledger has what is under way.
   */
  readonly wholeMs?: number
  readonly exit?: (code: number) => void
  readonly now?: () => number
}

/** The usual `wholeMs`. A supervisor has to wait longer than this before it kills the programs. */
export const usualWholeMs = 32_000

/** A terminal and npm may both deliver the same Ctrl-C; only a later one counts as a second. */
const sameSignalMs = 1000

/**
 * Stops the program on SIGINT, SIGTERM and SIGHUP without losing what is under way: no new connections, requests in
 * flight are finished, then exit 0. A second SIGINT more than a second later exits at once with 1. Repeated SIGTERMs
 * are ignored: supervisors send one to each process of a group, and again through their parents.
 */
export function stopOnSignal(options: Options): void {
  const { exit = process.exit, now = Date.now } = options
  let since: number | undefined
  const onSignal = (signal: NodeJS.Signals) => {
    if (since === undefined) {
      since = now()
      stop(options).then(
        () => exit(0),
        () => exit(1),
      )
    } else if (signal === 'SIGINT' && now() - since > sameSignalMs) exit(1)
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal)
}

async function stop(options: Options): Promise<void> {
  const { servers, begin, late, settle, workMs = 20_000, answerMs = 30_000, wholeMs = usualWholeMs } = options
  const { headersMs = 1000, requestMs = 3000 } = options
  if (late) setTimeout(late, workMs)
  const isOver = new Promise<void>((resolve) => setTimeout(resolve, wholeMs))
  begin?.()
  const isSettled = Promise.all(servers.map((server) => closeServer(server, answerMs, { headersMs, requestMs }))).then(
    settle,
  )
  await Promise.race([isSettled, isOver])
}

/** The longest time to wait for a pause in new connections; under constant load there is none. */
const lastCallersMs = 1000

/**
 * Resolves when no connection waits to be accepted. The system completes connections before the program accepts them,
 * one in each turn of the event loop; closing resets those that are not accepted yet, with the requests that they
 * already sent.
 */
function untilNobodyWaits(server: Server): Promise<void> {
  const until = performance.now() + lastCallersMs
  let isQuiet = false
  const onConnection = () => {
    isQuiet = false
  }
  server.on('connection', onConnection)
  return new Promise((resolve) => {
    // `setImmediate` runs right after the event loop has polled for new connections.
    const look = () => {
      if (isQuiet || performance.now() > until) {
        server.off('connection', onConnection)
        resolve()
      } else {
        isQuiet = true
        setImmediate(look)
      }
    }
    setImmediate(look)
  })
}

/**
 * Stops accepting, lets requests in flight finish, and closes the remaining connections after `graceMs`. A client that
 * has not sent its whole request gets 408 long before.
 */
async function closeServer(server: Server, graceMs: number, { headersMs, requestMs }: SendTimes): Promise<void> {
  await untilNobodyWaits(server)
  // Calls the method of the plain TCP server, because `close` of an HTTP server stops the checks of request timeouts
  // and would then wait for silent clients.
  const closed = new Promise<void>((resolve) => NetServer.prototype.close.call(server, () => resolve()))
  // Connections that were busy when closing began become idle later.
  const idle = setInterval(() => server.closeIdleConnections(), 50)
  // The shorter timeouts apply from now on, because a request may be on its way over a connection that was silent for
  // long.
  const lateHeaders = setTimeout(() => {
    server.headersTimeout = headersMs
  }, headersMs)
  const lateRequests = setTimeout(() => {
    server.requestTimeout = requestMs
  }, requestMs)
  const cut = setTimeout(() => server.closeAllConnections(), graceMs)
  server.closeIdleConnections()
  await closed
  clearInterval(idle)
  for (const timer of [lateHeaders, lateRequests, cut]) clearTimeout(timer)
}
