import { type Fields, readFields, readNumber, readText } from '../../../src/browser/read-value.ts'

/** How it stands with the line to the dungeon. */
export type LineState = 'connecting' | 'open' | 'waiting' | 'closed'

/** A line that comes back by itself. */
export interface Connection {
  /** Sends, or says that there is nobody to send to. */
  readonly send: (message: Fields) => boolean
  /** Hangs up and calls again at once, as after a change of what is asked for. */
  readonly redial: () => void
  /** Whether it was ever open; a line that never was leads to nobody. */
  readonly wasOpen: () => boolean
  /** Hangs up for good. */
  readonly close: () => void
}

/** After these, calling again would only take the line away from somebody, or be refused again. */
const finalCodes = new Set([4001, 4002])
const longestWaitMs = 15_000
const heartbeatMs = 20_000
/** The host answers each ping at once: two unanswered mean that nobody is there. */
const longestSilenceMs = 45_000

/**
 * Keeps a socket open. After a loss it waits a little longer each time, with chance in it, so that a thousand
 * browsers do not knock together after a restart.
 */
export function connect(deps: {
  wsUrl: string
  onOpen: (send: Connection['send']) => void
  /** What to do with each type of message. */
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

  // A telephone that slept does not notice that its line is dead until it speaks, and even then only slowly.
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
