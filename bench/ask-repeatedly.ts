import { connect } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'

interface Wish {
  /** Of one server; each is asked as often as the others. */
  readonly urls: readonly string[]
  /** Every answer must have it. */
  readonly status: number
  readonly connections: number
  readonly ms: number
}

const headEnd = '\r\n\r\n'

/**
 * Asks a server for a while, on many connections at once, each with its next request as soon as it has its answer. Of
 * an answer it reads the status and where it ends, so that it costs less than any server: a client that parses headers
 * would be measured instead.
 *
 * @returns how many answers came, in how many seconds; those under way at the end are waited for and counted
 * @throws Error when one has another status or no `Content-Length`
 */
export async function askRepeatedly({
  urls,
  status,
  connections,
  ms,
}: Wish): Promise<{ answers: number; seconds: number }> {
  const { host, hostname, port } = new URL(urls[0] ?? '')
  const requests = urls.map((url) => {
    const { pathname, search } = new URL(url)
    return { url, bytes: Buffer.from(`GET ${pathname}${search} HTTP/1.1\r\nHost: ${host}\r\n\r\n`) }
  })
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
    const length = bodyBytes.get(url) ?? Number(/content-length: (\d+)/i.exec(bytes.toString('latin1', 0, end))?.[1])
    if (Number.isNaN(length)) throw new Error(`${url} answers without a Content-Length`)
    bodyBytes.set(url, length)
    return end + headEnd.length + length
  }

  /** Until the server or the end of the time closes the connection. */
  const askOnOne = () =>
    new Promise<void>((resolve, reject) => {
      const socket = connect({ host: hostname, port: Number(port), noDelay: true })
      let received: Buffer = Buffer.alloc(0)
      let url = ''
      const ask = () => {
        const request = requests[asked++ % requests.length]
        if (!request) return
        url = request.url
        socket.write(request.bytes)
      }
      socket.on('connect', ask)
      socket.on('data', (chunk: Buffer) => {
        received = received.length === 0 ? chunk : Buffer.concat([received, chunk])
        try {
          if (!(received.length >= endOf(received, url))) return
        } catch (error) {
          socket.destroy()
          reject(error)
        }
        received = Buffer.alloc(0)
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
