import type { Server } from 'node:http'
import { Server as NetServer } from 'node:net'

/** How long clients may take, once nobody new is taken, over a request of which something is missing. */
interface SendTimes {
  /** To say what they want, if they want anything: browsers open connections in advance. */
  readonly headersMs: number
  /** To send all of it. */
  readonly requestMs: number
}

interface Options extends Partial<SendTimes> {
  /** Guarded ones. Stopped in this order, all at once. */
  readonly servers: readonly Server[]
  /** Called once, before anything is closed: refuse new work, tell sockets. */
  readonly begin?: () => void
  /** Waited for when no request is left: settlements that must reach a known end, databases to close. */
  readonly settle?: () => Promise<void>
  /** Called when work has had its time: what is not being settled by then must not be charged any more. */
  readonly late?: () => void
  readonly workMs?: number
  /** Requests that are not answered by then are cut off. */
  readonly answerMs?: number
  /** From the signal on, after which the program is gone, settled or not: what is under way is written down. */
  readonly wholeMs?: number
  readonly exit?: (code: number) => void
  readonly now?: () => number
}

/** Whatever stops the programs from outside has to wait longer than this before it kills them. */
export const usualWholeMs = 32_000

/** A terminal and npm may both deliver the same Ctrl-C; only a later one is a second wish. */
const sameSignalMs = 1000

/**
 * Stops the program on SIGINT, SIGTERM and SIGHUP without losing what is under way: no new connections, requests in
 * flight are finished, then exit 0. A second Ctrl-C more than a second later exits at once. Whoever supervises programs
 * sends SIGTERM to each process of a group, and again by way of their parents: that is one wish, and SIGKILL another.
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

/** Of a crowd that never pauses, some arrive in the moment of closing, whenever that is. */
const lastCallersMs = 1000

/**
 * Resolves in a moment when nobody waits to be accepted. The system completes connections before the program takes them,
 * one in each turn of its loop; closing resets those that it has not taken, with the requests that they already sent.
 */
function untilNobodyWaits(server: Server): Promise<void> {
  const until = performance.now() + lastCallersMs
  let isQuiet = false
  const onConnection = () => {
    isQuiet = false
  }
  server.on('connection', onConnection)
  return new Promise((resolve) => {
    // Runs right after the system was asked who is there.
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
 * Stops accepting at once, lets requests in flight finish, and cuts what is left after `graceMs`. Who has not sent all
 * of a request hears 408 long before.
 */
async function closeServer(server: Server, graceMs: number, { headersMs, requestMs }: SendTimes): Promise<void> {
  await untilNobodyWaits(server)
  // An HTTP server that closes asks no more whether requests arrive in time, and would wait for silent clients.
  const closed = new Promise<void>((resolve) => NetServer.prototype.close.call(server, () => resolve()))
  // A connection that was busy when closing began becomes idle later.
  const idle = setInterval(() => server.closeIdleConnections(), 50)
  // Counted from now, because a request may have been on its way along a connection that was silent for long.
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
