import { connect } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'

interface Wish {
  /** Addresses on one server; each is requested equally often. */
  readonly urls: readonly string[]
  /** The status that every response must have. */
  readonly status: number
  readonly connections: number
  readonly ms: number
  /** Sent with each request, besides `Host`. */
  readonly headers?: Readonly<Record<string, string>>
  /** Sent with POST when present. */
  readonly body?: string
}

const headEnd = '\r\n\r\n'
const lastChunk = '\r\n0\r\n\r\n'

/** The bytes of one request. */
function toRequest(url: string, { headers = {}, body }: Pick<Wish, 'headers' | 'body'>): Buffer {
  const { host, pathname, search } = new URL(url)
  const all = { Host: host, ...headers, ...(body !== undefined && { 'Content-Length': Buffer.byteLength(body) }) }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  const method = body === undefined ? 'GET' : 'POST'
  return Buffer.from(`${method} ${pathname}${search} HTTP/1.1\r\n${lines.join('')}\r\n${body ?? ''}`)
}

/**
 * Puts a server under load for `ms` on several connections, each of which sends its next request as soon as it has a
 * response. Of a response it reads only the status and the end, so that the client costs less than any server; a client
 * that parses headers would be measured instead.
 *
 * @returns how many responses came, and in how many seconds; those in flight at the end are waited for and counted
 * @throws Error when a response has another status or no known length
 */
export async function askRepeatedly({
  urls,
  status,
  connections,
  ms,
  ...said
}: Wish): Promise<{ answers: number; seconds: number }> {
  const { hostname, port } = new URL(urls[0] ?? '')
  const requests = urls.map((url) => ({ url, bytes: toRequest(url, said) }))
  const expected = `HTTP/1.1 ${status} `
  let answers = 0
  let asked = 0
  let isOver = false
  // Learned from the first response: all responses to one request have the same length.
  const bodyBytes = new Map<string, number>()

  /** Where the first response in these bytes ends; NaN while that is unknown. */
  function endOf(bytes: Buffer, url: string): number {
    const end = bytes.indexOf(headEnd)
    if (end < 0) return Number.NaN
    if (bytes.toString('latin1', 0, expected.length) !== expected) throw new Error(`${url} does not answer ${status}`)
    const known = bodyBytes.get(url)
    if (known !== undefined) return end + headEnd.length + known
    const head = bytes.toString('latin1', 0, end)
    if (/transfer-encoding: chunked/i.test(head)) {
      const last = bytes.indexOf(lastChunk, end)
      return last < 0 ? Number.NaN : last + lastChunk.length
    }
    const length = Number(/content-length: (\d+)/i.exec(head)?.[1])
    if (Number.isNaN(length)) throw new Error(`${url} answers without a Content-Length`)
    bodyBytes.set(url, length)
    return end + headEnd.length + length
  }

  /** Uses one connection until the server closes it or the time is over. */
  const askOnOne = () =>
    new Promise<void>((resolve, reject) => {
      const socket = connect({ host: hostname, port: Number(port), noDelay: true })
      let received: Buffer = Buffer.alloc(0)
      /** Bytes that are missing of a body whose length is known; they are counted, not kept. */
      let missing = 0
      let url = ''
      const ask = () => {
        const request = requests[asked++ % requests.length]
        if (!request) return
        url = request.url
        socket.write(request.bytes)
      }
      socket.on('connect', ask)
      socket.on('data', (chunk: Buffer) => {
        if (missing > 0) {
          missing -= chunk.length
          if (missing > 0) return
        } else {
          received = received.length === 0 ? chunk : Buffer.concat([received, chunk])
          try {
            const end = endOf(received, url)
            if (Number.isNaN(end)) return
            missing = end - received.length
          } catch (error) {
            socket.destroy()
            reject(error)
            return
          }
          received = Buffer.alloc(0)
          if (missing > 0) return
        }
        missing = 0
        answers++
        if (isOver) socket.end()
        else ask()
      })
      socket.on('error', reject)
      socket.on('close', () => resolve())
    })
  const keepAsking = async () => {
    while (!isOver) await askOnOne()
  }
  const start = performance.now()
  const over = delay(ms).then(() => {
    isOver = true
  })
  await Promise.all([over, ...Array.from({ length: connections }, keepAsking)])
  return { answers, seconds: (performance.now() - start) / 1000 }
}
