import type { WebSocket } from 'ws'
import { makeTokenBucket } from '../../src/http/token-bucket.ts'
import type { Refusal } from '../protocol/dungeon.ts'

/** Why the host ends a socket; 4000 and above are the protocol's own. */
export const closeCodes = {
  left: { code: 1000, reason: 'goodbye' },
  restart: { code: 1012, reason: 'restart' },
  'no-join': { code: 4000, reason: 'join timeout' },
  replaced: { code: 4001, reason: 'resumed elsewhere' },
  faults: { code: 4002, reason: 'protocol errors' },
  flood: { code: 4002, reason: 'flood' },
  slow: { code: 4003, reason: 'slow consumer' },
  kicked: { code: 4004, reason: 'sent away' },
  idle: { code: 4008, reason: 'idle' },
} as const

/** Codes of sockets that nobody closed; none may be sent. */
const unsaid = new Set([1005, 1006, 1015])

const maxUnreadBytes = 256 * 1024
/** How long a client may take to read why it is sent away. */
const goodbyeMs = 1000
/** What is answered without being an input: chat, pings, watching. */
const choreLimits = { perSecond: 5, burst: 20 }
/** Who goes on being refused is not listening. */
const refusalLimits = { perSecond: 10, burst: 100 }
/** Of a flood, most is refused without a word: words cost more than what they refuse. */
const replyLimits = { perSecond: 5, burst: 50 }

/** The writing side of a socket: what is written to somebody who does not read never piles up. */
export function makeSocketWriter(socket: WebSocket, now: () => number) {
  const chores = makeTokenBucket(choreLimits, now)
  const refusals = makeTokenBucket(refusalLimits, now)
  const replies = makeTokenBucket(replyLimits, now)

  const isOpen = (): boolean => socket.readyState === socket.OPEN

  const close = (is: keyof typeof closeCodes): void => end(closeCodes[is].code, closeCodes[is].reason)

  /** Ends the socket for the reason that another host gave; where it gave none, that is gone. */
  function end(given: number, why: string): void {
    if (!isOpen()) return
    const { code, reason } = unsaid.has(given) ? closeCodes.restart : { code: given, reason: why }
    socket.close(code, reason)
    setTimeout(() => socket.terminate(), goodbyeMs).unref()
  }
  /** Whether there is room for another frame. */
  function isRead(): boolean {
    if (!isOpen()) return false
    if (socket.bufferedAmount <= maxUnreadBytes) return true
    close('slow')
    return false
  }
  function send(frame: string): void {
    if (isRead()) socket.send(frame)
  }
  const sendError = (code: string, message: string, more: object = {}): void =>
    send(JSON.stringify({ type: 'error', code, message, ...more }))
  /** Refuses what came too fast; who does not slow down is cut off. */
  function slowDown(retryAfterMs: number, more: object = {}): void {
    if (refusals.take() > 0) close('flood')
    else if (replies.take() === 0)
      sendError('rate_limited', 'too much at once; wait a moment', { retryAfterMs, ...more })
  }

  return {
    send,
    sendError,
    /** Says no to a join, or to a key by its number. */
    refuse({ code, message, keys, retryAfterMs }: Refusal, n?: number): void {
      if (n !== undefined && code === 'rate_limited') slowDown(retryAfterMs ?? 0, { n })
      else if (n !== undefined) sendError(code, message, { n, ...(keys && { keys }) })
      else sendError(code, message, retryAfterMs === undefined ? {} : { retryAfterMs })
    },
    slowDown,
    close,
    end,
    isOpen,
    pong(data: Buffer): void {
      if (isRead()) socket.pong(data)
    },
    /** Counts a chore; refuses it when there were too many. */
    isTooBusy(more: object = {}): boolean {
      const retryAfterMs = chores.take()
      if (retryAfterMs > 0) slowDown(retryAfterMs, more)
      return retryAfterMs > 0
    },
  }
}
