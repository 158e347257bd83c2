import { createServer, type RequestListener } from 'node:http'
import { createServer as createTcpServer, type Server, type Socket } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { exchange, NotConnected } from '../../src/http/exchange.ts'
import { fetchJson, UpstreamError } from '../../src/http/fetch-json.ts'
import { listen } from '../../src/http/listen.ts'

const closings: (() => void)[] = []
afterEach(() => {
  for (const close of closings.splice(0)) close()
})

const limits = { deadlineMs: 5000, maxBytes: 1000 }

async function open(server: Server): Promise<number> {
  const { port } = await listen(server, { host: '127.0.0.1', port: 0 })
  closings.push(() => server.close())
  return port
}

/** The address of a service that answers so. */
const serve = async (answer: RequestListener): Promise<string> => `http://127.0.0.1:${await open(createServer(answer))}`

/** The port of a service below HTTP. */
const accept = (handle: (socket: Socket) => void): Promise<number> =>
  open(
    createTcpServer((socket) => {
      socket.on('error', () => socket.destroy())
      closings.push(() => socket.destroy())
      handle(socket)
    }),
  )

const failureOf = (asked: Promise<unknown>): Promise<unknown> =>
  asked.then(
    () => 'answered',
    (error: unknown) => error,
  )

it('sends a body and headers, and reads the whole answer', async () => {
  const url = await serve((request, response) => {
    void request.toArray().then((parts) => {
      const { 'x-own': own, 'content-length': length, 'user-agent': agent } = request.headers
      const read = { method: request.method, own, length, agent, body: Buffer.concat(parts).toString('utf8') }
      response.writeHead(418, { 'x-theirs': 'yes' })
      response.write(JSON.stringify(read).slice(0, 5))
      response.end(JSON.stringify(read).slice(5))
    })
  })
  const answer = await exchange(url, { ...limits, method: 'POST', body: '{"ä":1}', headers: { 'x-own': 'mine' } })
  expect([answer.status, answer.headers['x-theirs']]).toEqual([418, 'yes'])
  const read = { method: 'POST', own: 'mine', length: '8', agent: 'node', body: '{"ä":1}' }
  expect(JSON.parse(answer.body.toString('utf8'))).toEqual(read)
})

it('sends the name and password of an address, as RPC services give them', async () => {
  const url = await serve(({ headers }, response) => void response.end(headers.authorization))
  const { body } = await exchange(url.replace('//', '//me:s%20cret@'), limits)
  expect(body.toString('utf8')).toBe(`Basic ${Buffer.from('me:s cret').toString('base64')}`)
})

it('uses a connection again', async () => {
  const sockets = new Set<Socket>()
  const url = await serve(({ socket }, response) => {
    sockets.add(socket)
    response.end('{}')
  })
  for (let times = 0; times < 3; times++) await exchange(url, limits)
  expect(sockets.size).toBe(1)
})

describe('without a connection, it says that nothing was sent', () => {
  it('when nobody listens', async () => {
    const server = createServer()
    const port = await open(server)
    server.close()
    const error = await failureOf(exchange(`http://127.0.0.1:${port}`, limits))
    expect(error).toBeInstanceOf(NotConnected)
    expect(error).toMatchObject({ cause: { code: 'ECONNREFUSED' } })
  })

  it('when the name is unknown', async () => {
    expect(await failureOf(exchange('http://nobody.invalid', limits))).toBeInstanceOf(NotConnected)
  })

  it.each([
    ['is not begun in time', () => {}, { name: 'TimeoutError' }],
    ['breaks', (socket: Socket) => void socket.once('data', () => socket.resetAndDestroy()), {}],
    ['is answered in plain text', (socket: Socket) => void socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'), {}],
  ])('when the handshake of TLS %s', async (_how, handle, cause) => {
    const port = await accept(handle)
    const error = await failureOf(exchange(`https://127.0.0.1:${port}`, { ...limits, deadlineMs: 300 }))
    expect(error).toBeInstanceOf(NotConnected)
    expect(error).toMatchObject({ cause })
  })
})

describe('once there was a connection, the request may have been processed', () => {
  it.each<[string, RequestListener, object]>([
    ['the answer does not come in time', () => {}, { name: 'TimeoutError' }],
    ['the answer does not end in time', (_request, response) => void response.write('{'), { name: 'TimeoutError' }],
    ['the connection is closed without an answer', ({ socket }) => void socket.end(), { code: 'ECONNRESET' }],
    ['it breaks', ({ socket }) => void socket.resetAndDestroy(), { code: 'ECONNRESET' }],
    [
      'it breaks in the middle of the answer',
      ({ socket }, response) => {
        response.writeHead(200, { 'content-length': 9 }).write('{')
        setTimeout(() => socket.destroy(), 50)
      },
      { code: 'ECONNRESET' },
    ],
    [
      'the answer is too large',
      (_request, response) => void response.end('x'.repeat(1001)),
      { message: 'the answer is larger than 1000 bytes' },
    ],
  ])('when %s', async (_how, answer, expected) => {
    const error = await failureOf(exchange(await serve(answer), { ...limits, deadlineMs: 300 }))
    expect(error).not.toBeInstanceOf(NotConnected)
    expect(error).toMatchObject(expected)
  })

  it('when a connection that was used before breaks', async () => {
    let asked = 0
    const url = await serve(({ socket }, response) => void (asked++ === 0 ? response.end('{}') : socket.destroy()))
    await exchange(url, limits)
    const error = await failureOf(exchange(url, limits))
    expect([asked, error instanceof NotConnected]).toEqual([2, false])
  })
})

describe('JSON', () => {
  it.each([
    ['with any status', 503, '{"a":1}', { status: 503, json: { a: 1 } }],
    ['of a single value', 200, 'null', { status: 200, json: null }],
  ])('is read %s', async (_how, status, text, read) => {
    const url = await serve((_request, response) => void response.writeHead(status).end(text))
    expect(await fetchJson(url, limits)).toEqual(read)
  })

  it.each([
    ['text', Buffer.from('<html>'), 200],
    ['bytes that are no UTF-8', Buffer.from([0x22, 0xff, 0x22]), 200],
    ['a redirect', Buffer.from('{}'), 307],
  ])('is not taken from %s, whose status is told', async (_what, body, status) => {
    const url = await serve((_request, response) => void response.writeHead(status, { location: '/' }).end(body))
    const error = await failureOf(fetchJson(url, limits))
    expect(error).toBeInstanceOf(UpstreamError)
    expect(error).toMatchObject({ status })
  })
})
