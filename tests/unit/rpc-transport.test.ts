import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { BaseError, createClient, HttpRequestError, RpcRequestError, TimeoutError } from 'viem'
import { getBlockNumber } from 'viem/actions'
import { afterEach, expect, it } from 'vitest'
import { listen } from '../../src/http/listen.ts'
import { rpcTransport } from '../../src/http/rpc-transport.ts'

const closings: (() => void)[] = []
afterEach(() => {
  for (const close of closings.splice(0)) close()
})

/** One way in which a node answers. */
type Say = (response: ServerResponse, request: IncomingMessage) => void
const say =
  (body: object | string, status = 200, headers = {}): Say =>
  (response) =>
    void response.writeHead(status, headers).end(typeof body === 'string' ? body : JSON.stringify(body))
const good = say({ jsonrpc: '2.0', id: 1, result: '0x2a' })

/** A node that answers in these ways, one after the other, and a client of it. */
async function open(ways: readonly Say[], retryCount = 0) {
  let asked = 0
  const server = createServer((request, response) => ways[asked++]?.(response, request))
  const { port } = await listen(server, { host: '127.0.0.1', port: 0 })
  closings.push(
    () => server.close(),
    () => server.closeAllConnections(),
  )
  const dates: (string | undefined)[] = []
  const transport = rpcTransport(`http://127.0.0.1:${port}`, {
    timeoutMs: 200,
    retryCount,
    retryDelayMs: 1,
    onAnswer: ({ date }) => dates.push(date),
  })
  const client = createClient({ transport })
  return { dates, asked: () => asked, head: () => getBlockNumber(client, { cacheTime: 0 }) }
}

it('reads results, and tells the headers of each answer', async () => {
  const { head, dates } = await open([good, say({ jsonrpc: '2.0', id: 2, error: null, result: '0x2b' })])
  expect([await head(), await head(), dates.length]).toEqual([42n, 43n, 2])
  expect(dates.every((date) => date?.endsWith(' GMT'))).toBe(true)
})

const error = { code: 3, message: 'execution reverted', data: '0x01' }

it.each<[string, Say, new (...given: never[]) => Error, object]>([
  ['an error of the node', say({ error }), RpcRequestError, { code: 3, data: '0x01', details: 'execution reverted' }],
  ['an error with a status', say({ error }, 500), RpcRequestError, { code: 3 }],
  ['a status without one', say({ error: 'busy' }, 500), HttpRequestError, { status: 500 }],
  ['a status and text', say('<html>', 503), HttpRequestError, { status: 503 }],
  ['a redirect', say('', 308, { location: '/' }), HttpRequestError, { status: 308 }],
  ['text', say('<html>'), HttpRequestError, { status: undefined }],
  ['other JSON', say('[]'), HttpRequestError, { status: undefined }],
  ['an error of another form', say({ error: 'no', result: '0x1' }), HttpRequestError, { status: undefined }],
  ['nothing', () => {}, TimeoutError, {}],
  ['a closed connection', ({ socket }) => void socket?.destroy(), HttpRequestError, { status: undefined }],
])('fails as viem does when the node answers with %s', async (_what, way, kind, expected) => {
  const { head } = await open([way])
  const failure = await head().catch((reason: unknown) => reason)
  const found = failure instanceof BaseError ? failure.walk((cause) => cause instanceof kind) : undefined
  expect(found).toBeInstanceOf(kind)
  expect(found).toMatchObject(expected)
})

it('asks a node again that is busy or does not answer, and not one that refuses', async () => {
  const busy = await open([say('', 429, { 'retry-after': '0' }), say('', 503), good], 2)
  expect([await busy.head(), busy.asked()]).toEqual([42n, 3])
  const silent = await open([() => {}, ({ socket }) => void socket?.destroy(), good], 2)
  expect([await silent.head(), silent.asked()]).toEqual([42n, 3])
  const refusing = await open([say({ error }), good], 2)
  await expect(refusing.head()).rejects.toThrow('execution reverted')
  expect(refusing.asked()).toBe(1)
})
