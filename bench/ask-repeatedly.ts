import { connect } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'

interface Wish {
  /** Of one server; each is asked as often as the others. */
  readonly urls: readonly string[]
  /** Every answer must have it. */
  readonly status: number
  readonly connections: number
  readonly ms: number
  /** Sent with each beside the host. */
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
 * Asks a server for a while, on many connections at once, each with its next request as soon as it has its answer. Of
 * an answer it reads the status and where it ends, so that it costs less than any server: a client that parses headers
 * would be measured instead.
 *
 * @returns how many answers came, in how many seconds; those under way at the end are waited for and counted
 * @throws Error when one has another status, or does not say how long it is
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
  // Learned once: the answers to one request are of one length.
  const bodyBytes = new Map<string, number>()

  /** Where the first answer in these bytes ends; not a number while it is not known. */
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

  /** Until the server or the end of the time closes the connection. */
  const askOnOne = () =>
    new Promise<void>((resolve, reject) => {
      const socket = connect({ host: hostname, port: Number(port), noDelay: true })
      let received: Buffer = Buffer.alloc(0)
      /** Of a body that has begun and says how long it is: it is counted, and not kept. */
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
