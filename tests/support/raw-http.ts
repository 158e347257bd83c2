import { connect } from 'node:net'

/** The data from a socket, split into the parts of one response. */
export interface RawAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly text: string
}

interface Patience {
  readonly waitMs?: number
  /** Several responses are expected, so that reading goes on until the server closes. */
  readonly untilClosed?: boolean
}

/** Sends exact bytes, which no HTTP client would, and reads until the server closes or has responded. */
export function sendRaw(port: number, text: string, patience: Patience = {}): Promise<RawAnswer> {
  const { waitMs = 30_000, untilClosed = false } = patience
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(Buffer.from(text, 'latin1')))
    let answer = ''
    const finish = () => {
      socket.destroy()
      resolve(readAnswer(answer))
    }
    const timer = setTimeout(finish, waitMs)
    socket.on('data', (chunk) => {
      answer += chunk.toString('latin1')
      if (!untilClosed && isComplete(answer)) finish()
    })
    socket.on('close', () => {
      clearTimeout(timer)
      finish()
    })
    socket.on('error', reject)
  })
}

/** A GET with an exactly spelled target. */
export const getRaw = (port: number, target: string, headers: Readonly<Record<string, string>> = {}) => {
  const lines = Object.entries({ Host: 'farthing.test', ...headers }).map(([name, value]) => `${name}: ${value}\r\n`)
  return sendRaw(port, `GET ${target} HTTP/1.1\r\n${lines.join('')}\r\n`)
}

function readAnswer(text: string): RawAnswer {
  const [head = '', ...rest] = text.split('\r\n\r\n')
  const [first = '', ...lines] = head.split('\r\n')
  const headers = lines.map((line) => {
    const colon = line.indexOf(':')
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()] as const
  })
  const body = rest.join('\r\n\r\n')
  const fields: Readonly<Record<string, string>> = Object.fromEntries(headers)
  return {
    status: Number(first.split(' ')[1] ?? 0),
    headers: fields,
    body: fields['transfer-encoding'] === 'chunked' ? unchunk(body) : body,
    text,
  }
}

/** The body without chunk sizes. */
const unchunk = (body: string): string =>
  [...body.matchAll(/[0-9a-f]+\r\n([\s\S]*?)\r\n/gi)].map(([, chunk]) => chunk).join('')

function isComplete(text: string): boolean {
  const { headers, body } = readAnswer(text)
  if (headers['transfer-encoding'] === 'chunked') return text.endsWith('\r\n0\r\n\r\n')
  const length = headers['content-length']
  return length !== undefined && body.length >= Number(length)
}
