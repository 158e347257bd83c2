import { type Fields, readFields, readNumber, readText } from '../../../src/browser/read-value.ts'

/** The state of the connection to the dungeon. */
export type LineState = 'connecting' | 'open' | 'waiting' | 'closed'

/** A connection that reconnects by itself. */
export interface Connection {
  /** Sends a message; false when the socket is not open. */
  readonly send: (message: Fields) => boolean
  /** Closes the socket and opens a new one at once, to join with other options. */
  readonly redial: () => void
  /** Whether a socket was ever open; if not, its URL may be wrong. */
  readonly wasOpen: () => boolean
  /** Closes the socket and does not reconnect. */
  readonly close: () => void
}

/** Close codes after which it does not reconnect: the player uses another window, or sent too much. */
const finalCodes = new Set([4001, 4002])
const longestWaitMs = 15_000
const heartbeatMs = 20_000
/** The host answers each ping at once, so two unanswered ones mean that the connection is dead. */
const longestSilenceMs = 45_000

/**
 * Keeps a socket open. It reconnects with exponential backoff and jitter, so that a thousand browsers do not connect at
 * the same moment after a restart.
 */
export function connect(deps: {
  wsUrl: string
  onOpen: (send: Connection['send']) => void
  /** The handler of each type of message. */
  hear: Readonly<Partial<Record<string, (message: Fields) => void>>>
  onState: (state: LineState, code?: number) => void
}): Connection {
  const { wsUrl, onOpen, hear, onState } = deps
  let socket: WebSocket | undefined
  let losses = 0
  let timer: number | undefined
  let askedToWaitMs = 0
  let heardAt = 0
  let wasOpen = false

  const send = (message: Fields): boolean => {
    if (socket?.readyState !== WebSocket.OPEN) return false
    socket.send(JSON.stringify(message))
    return true
  }

  function dial(): void {
    clearTimeout(timer)
    timer = undefined
    onState('connecting')
    const line = new WebSocket(wsUrl)
    socket = line
    heardAt = performance.now()
    line.onopen = () => {
      wasOpen = true
      onOpen(send)
    }
    line.onmessage = ({ data }) => {
      const message = readMessage(data)
      if (message === undefined || line !== socket) return
      heardAt = performance.now()
      if (message['type'] === 'welcome') losses = 0
      if (message['type'] === 'bye') askedToWaitMs = readNumber(message['retryMs'])
      onState('open')
      hear[readText(message['type'])]?.(message)
    }
    line.onclose = ({ code }) => line === socket && lose(code)
  }

  function lose(code: number): void {
    socket = undefined
    if (finalCodes.has(code)) {
      onState('closed', code)
      return
    }
    const waitMs = Math.max(askedToWaitMs, Math.min(longestWaitMs, 400 * 2 ** losses))
    losses += 1
    askedToWaitMs = 0
    onState('waiting', code)
    timer = window.setTimeout(dial, waitMs * (0.75 + Math.random() / 2))
  }

  // A phone that was asleep notices a dead connection only when it sends something, and even then slowly.
  window.setInterval(() => {
    if (!send({ type: 'ping' }) || performance.now() - heardAt < longestSilenceMs) return
    socket?.close()
    lose(1006)
  }, heartbeatMs)
  window.addEventListener('online', () => socket === undefined && timer !== undefined && dial())
  dial()

  const hangUp = () => {
    clearTimeout(timer)
    timer = undefined
    const line = socket
    socket = undefined
    line?.close(1000)
  }
  return {
    send,
    wasOpen: () => wasOpen,
    redial() {
      hangUp()
      dial()
    },
    close() {
      hangUp()
      onState('closed')
    },
  }
}

function readMessage(data: unknown): Fields | undefined {
  try {
    return readFields(JSON.parse(String(data)))
  } catch {
    return undefined
  }
}
