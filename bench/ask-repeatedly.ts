import { connect } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'

interface Wish {
  readonly url: string
  /** Every answer must have it. */
  readonly status: number
  readonly connections: number
  readonly ms: number
}

const headEnd = '\r\n\r\n'

/**
 * Asks for one address for a while, on many connections at once, each with its next request as soon as it has its
 * answer. Of an answer it reads the status and where it ends, so that it costs less than any server: a client that
 * parses headers would be measured instead.
 *
 * @returns how many answers came in time
 * @throws Error when one has another status or no `Content-Length`
 */
export async function askRepeatedly({ url, status, connections, ms }: Wish): Promise<number> {
  const { host, hostname, port, pathname } = new URL(url)
  const request = Buffer.from(`GET ${pathname} HTTP/1.1\r\nHost: ${host}\r\n\r\n`)
  const expected = `HTTP/1.1 ${status} `
  let answers = 0
  let bodyBytes: number | undefined
  let isOver = false

  /** Where the first answer in these bytes ends; not a number while it is not known. */
  function endOf(bytes: Buffer): number {
    const end = bytes.indexOf(headEnd)
    if (end < 0) return Number.NaN
    if (bytes.toString('latin1', 0, expected.length) !== expected) throw new Error(`${url} does not answer ${status}`)
    // Learned once: the answers compared here are of one length.
    bodyBytes ??= Number(/content-length: (\d+)/i.exec(bytes.toString('latin1', 0, end))?.[1])
    if (Number.isNaN(bodyBytes)) throw new Error(`${url} answers without a Content-Length`)
    return end + headEnd.length + bodyBytes
  }

  /** Until the server or the end of the time closes the connection. */
  const askOnOne = () =>
    new Promise<void>((resolve, reject) => {
      const socket = connect({ host: hostname, port: Number(port), noDelay: true })
      let received: Buffer = Buffer.alloc(0)
      socket.on('connect', () => socket.write(request))
      socket.on('data', (chunk: Buffer) => {
        received = received.length === 0 ? chunk : Buffer.concat([received, chunk])
        try {
          if (!(received.length >= endOf(received))) return
        } catch (error) {
          socket.destroy()
          reject(error)
        }
        received = Buffer.alloc(0)
        if (isOver) socket.end()
        else {
          answers++
          socket.write(request)
        }
      })
      socket.on('error', reject)
      socket.on('close', () => resolve())
    })
  const keepAsking = async () => {
    while (!isOver) await askOnOne()
  }
  const over = delay(ms).then(() => {
    isOver = true
  })
  await Promise.all([over, ...Array.from({ length: connections }, keepAsking)])
  return answers
}
