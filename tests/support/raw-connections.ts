import { connect, type Socket } from 'node:net'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'

/** The response to one request, byte for byte. */
export interface RawAnswer {
  /** 0 if nothing came that begins like a response. */
  readonly status: number
  /** In the order sent, names in lower case, duplicates kept. */
  readonly headers: readonly (readonly [name: string, value: string])[]
  /** Without chunk framing, otherwise as it was sent. */
  readonly body: Buffer
  /** Everything the server sent, including interim responses. */
  readonly bytes: Buffer
  /** `cut`: the connection ended before the response did. `silent`: the deadline passed. */
  readonly is: 'complete' | 'cut' | 'silent'
}

export interface AskOptions {
  /** Uses a connection of its own, closed afterwards, for requests after which the next one might be out of step. */
  alone?: boolean
  deadlineMs?: number
}

interface RequestParts {
  method: string
  target: string
  /** Header lines without `Host`, which is farthing.test. */
  lines?: readonly string[]
  body?: string | Buffer
}

/** A correctly framed HTTP/1.1 request; a body gets its `Content-Length`. */
export function toRequest({ method, target, lines = [], body }: RequestParts): Buffer {
  const bytes = Buffer.from(body ?? '')
  const length = body === undefined ? [] : [`Content-Length: ${bytes.length}`]
  const head = [`${method} ${target} HTTP/1.1`, 'Host: farthing.test', ...lines, ...length, '', ''].join('\r\n')
  return Buffer.concat([Buffer.from(head, 'latin1'), bytes])
}

/** The values of one header, in order. */
export const headersOf = ({ headers }: RawAnswer, name: string): string[] =>
  headers.filter(([given]) => given === name).map(([, value]) => value)

/** The only value of a header; undefined if it is absent or repeated. */
export function headerOf(answer: RawAnswer, name: string): string | undefined {
  const values = headersOf(answer, name)
  return values.length === 1 ? values[0] : undefined
}

/** The decompressed body as text. */
export function textOf(answer: RawAnswer): string {
  const encoding = headerOf(answer, 'content-encoding')
  if (answer.body.length === 0 || encoding === undefined) return answer.body.toString('utf8')
  return (encoding === 'br' ? brotliDecompressSync(answer.body) : gunzipSync(answer.body)).toString('utf8')
}

interface Connection {
  socket: Socket
  /** The number of requests already answered on it. */
  served: number
  /** Receives incoming data; undefined while no request is pending. */
  onData: ((chunk: Buffer) => void) | undefined
  onEnd: (() => void) | undefined
}

/**
 * A client that sends arbitrary bytes, which no HTTP library would, over a few connections that it keeps open as long
 * as the server does, with one request at a time on each. Unrequested data is kept as `strays`.
 *
 * @example const { ask } = openRawConnections(port); await ask('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
 */
export function openRawConnections(port: number, { count = 8 } = {}) {
  const idle: Connection[] = []
  const open = new Set<Socket>()
  const waiting: (() => void)[] = []
  const strays: Buffer[] = []
  let busy = 0

  const dial = (): Connection => {
    const socket = connect(port, '127.0.0.1').setNoDelay(true)
    const connection: Connection = { socket, served: 0, onData: undefined, onEnd: undefined }
    open.add(socket)
    socket.on('data', (chunk: Buffer) => {
      if (connection.onData) return connection.onData(chunk)
      strays.push(chunk)
      socket.destroy()
    })
    socket.on('error', () => {})
    socket.on('close', () => {
      open.delete(socket)
      connection.onEnd?.()
    })
    // A server that ends its side sends nothing more.
    socket.on('end', () => connection.onEnd?.())
    return connection
  }

  const exchange = (connection: Connection, request: Buffer, deadlineMs: number): Promise<RawAnswer> =>
    new Promise((resolve) => {
      const reader = makeReader(request)
      const finish = (answer: RawAnswer) => {
        clearTimeout(timer)
        connection.onData = undefined
        connection.onEnd = undefined
        resolve(answer)
      }
      const timer = setTimeout(() => finish(reader.give('silent')), deadlineMs)
      connection.onData = (chunk) => {
        const answer = reader.take(chunk)
        if (answer) finish(answer)
      }
      connection.onEnd = () => finish(reader.close())
      connection.socket.write(request)
    })

  const askOnce = async (request: Buffer, { alone = false, deadlineMs = 30_000 }: AskOptions): Promise<RawAnswer> => {
    let kept = alone ? undefined : idle.pop()
    while (kept && (kept.socket.destroyed || kept.socket.readableEnded)) kept = idle.pop()
    const connection = kept ?? dial()
    const answer = await exchange(connection, request, deadlineMs)
    const mayStay = answer.is === 'complete' && headerOf(answer, 'connection')?.toLowerCase() !== 'close'
    if (alone || !mayStay) connection.socket.destroy()
    else {
      connection.served += 1
      idle.push(connection)
    }
    // The server may close an idle connection just as a request is sent, which says nothing about the request.
    const wasClosedUnderUs = connection.served > 0 && answer.is === 'cut' && answer.bytes.length === 0
    return wasClosedUnderUs ? askOnce(request, { alone, deadlineMs }) : answer
  }

  return {
    strays,
    /** A string is sent as latin1: one character is one byte. */
    async ask(request: string | Buffer, options: AskOptions = {}): Promise<RawAnswer> {
      if (busy >= count) await new Promise<void>((resolve) => waiting.push(resolve))
      busy += 1
      try {
        return await askOnce(typeof request === 'string' ? Buffer.from(request, 'latin1') : request, options)
      } finally {
        busy -= 1
        waiting.shift()?.()
      }
    },
    close() {
      for (const socket of open) socket.destroy()
    },
  }
}

export type RawConnections = ReturnType<typeof openRawConnections>

const headEnd = Buffer.from('\r\n\r\n')

/** Parses one final response from incoming data. */
function makeReader(request: Buffer) {
  const hasNoBody = request.subarray(0, 5).toString('latin1') === 'HEAD '
  let bytes: Buffer = Buffer.alloc(0)

  const look = (isClosed: boolean): RawAnswer | undefined => {
    let start = 0
    for (;;) {
      const end = bytes.indexOf(headEnd, start)
      if (end < 0) return undefined
      const [line = '', ...lines] = bytes.subarray(start, end).toString('latin1').split('\r\n')
      const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(line)?.[1] ?? 0)
      start = end + headEnd.length
      if (status >= 100 && status < 200) continue
      const headers = lines.map(toHeader)
      const body = hasNoBody || status === 204 || status === 304 ? Buffer.alloc(0) : readBody(headers, start, isClosed)
      return body && { status, headers, body, bytes, is: 'complete' }
    }
  }
  const readBody = (headers: RawAnswer['headers'], start: number, isClosed: boolean): Buffer | undefined => {
    const found = (name: string) => headers.find(([given]) => given === name)?.[1]
    if (found('transfer-encoding')?.toLowerCase() === 'chunked') return unchunk(bytes.subarray(start))
    const length = found('content-length')
    if (length === undefined) return isClosed ? bytes.subarray(start) : undefined
    return bytes.length - start >= Number(length) ? bytes.subarray(start, start + Number(length)) : undefined
  }
  const give = (is: 'cut' | 'silent'): RawAnswer => ({ status: 0, headers: [], body: bytes, bytes, is })

  return {
    take(chunk: Buffer): RawAnswer | undefined {
      bytes = bytes.length === 0 ? chunk : Buffer.concat([bytes, chunk])
      return look(false)
    },
    close: () => look(true) ?? give('cut'),
    give,
  }
}

const toHeader = (line: string): readonly [string, string] => {
  const colon = line.indexOf(':')
  return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
}

/** The body without chunk framing; undefined while the last chunk is missing. */
function unchunk(bytes: Buffer): Buffer | undefined {
  const chunks: Buffer[] = []
  for (let at = 0; ; ) {
    const lineEnd = bytes.indexOf('\r\n', at)
    if (lineEnd < 0) return undefined
    const size = Number.parseInt(bytes.subarray(at, lineEnd).toString('latin1'), 16)
    const end = lineEnd + 2 + size + 2
    if (!Number.isInteger(size) || bytes.length < end) return undefined
    if (size === 0) return Buffer.concat(chunks)
    chunks.push(bytes.subarray(lineEnd + 2, end - 2))
    at = end
  }
}
