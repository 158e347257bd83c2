import type { WebSocket } from 'ws'
import { TokenBucket } from '../../src/http/token-bucket.ts'
import type { Refusal } from '../protocol/dungeon.ts'

/** Why the host closes a socket. Codes from 4000 are our protocol's own; the others are registered (RFC 6455, 11.7). */
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

/** Codes that only report how a connection ended and must not be sent (RFC 6455, section 7.4.1). */
const unsaid = new Set([1005, 1006, 1015])

const maxUnreadBytes = 256 * 1024
/** How long a client may take for the closing handshake. */
const goodbyeMs = 1000
/** Limits messages that are answered but are not keys: chat, pings, watching. */
const choreLimits = { perSecond: 5, burst: 20 }
/**
 * Limits how often a client may be refused before its socket is closed. Keys come in bursts, as when somebody holds one
 * down on a slow network; nothing else does.
 */
const refusalLimits = { key: { perSecond: 10, burst: 100 }, chore: { perSecond: 10, burst: 20 } }
/** Limits replies to refused messages: in a flood the replies would cost more than the messages. */
const replyLimits = { perSecond: 5, burst: 50 }

/** The writing side of a socket, which closes the socket of a client that does not read. */
export function makeSocketWriter(socket: WebSocket, now: () => number) {
  const chores = new TokenBucket(choreLimits, now)
  const refusals = {
    key: new TokenBucket(refusalLimits.key, now),
    chore: new TokenBucket(refusalLimits.chore, now),
  }
  const replies = new TokenBucket(replyLimits, now)

  const isOpen = (): boolean => socket.readyState === socket.OPEN

  const close = (is: keyof typeof closeCodes): void => end(closeCodes[is].code, closeCodes[is].reason)

  /** Closes the socket with the code that another host gave; with `restart` when that host vanished without one. */
  function end(given: number, why: string): void {
    if (!isOpen()) return
    const { code, reason } = unsaid.has(given) ? closeCodes.restart : { code: given, reason: why }
    socket.close(code, reason)
    setTimeout(() => socket.terminate(), goodbyeMs).unref()
  }
  /** Whether another frame may be sent; closes the socket when too much waits to be read. */
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
  /** Refuses a message that came too fast; a client that does not slow down is disconnected. */
  function slowDown(what: 'key' | 'chore', retryAfterMs: number, more: object = {}): void {
    if (refusals[what].take() > 0) close('flood')
    else if (replies.take() === 0)
      sendError('rate_limited', 'too much at once; wait a moment', { retryAfterMs, ...more })
  }

  return {
    send,
    sendError,
    /** Sends a refusal: of a join, or of the key with number `n`. */
    refuse({ code, message, keys, retryAfterMs }: Refusal, n?: number): void {
      if (n !== undefined && code === 'rate_limited') slowDown('key', retryAfterMs ?? 0, { n })
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
    /** Counts a message that is not a key; refuses it and returns true when there were too many. */
    isTooBusy(more: object = {}): boolean {
      const retryAfterMs = chores.take()
      if (retryAfterMs > 0) slowDown('chore', retryAfterMs, more)
      return retryAfterMs > 0
    },
  }
}

export type SocketWriter = ReturnType<typeof makeSocketWriter>
