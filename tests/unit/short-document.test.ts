import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { giveRequestId } from '../../src/http/request-id.ts'
import type { ShortDocument } from '../../src/http/route.ts'
import { makeSecurityHeaders } from '../../src/http/security-headers.ts'
import { makeWriteShort, shortRoute } from '../../src/http/short-document.ts'

const json = { contentType: 'application/json', cacheControl: 'no-cache' }
const documents: Readonly<Record<string, ShortDocument>> = {
  '/plain': { ...json, hasTag: false, read: () => '{"ok":true}' },
  '/later': { ...json, hasTag: true, read: async () => '{"ok":"later"}' },
  '/foreign': { ...json, hasTag: true, read: () => '{"name":"Zoë 東"}' },
  '/empty': { ...json, hasTag: true, read: () => '' },
  '/counted': { ...json, hasTag: true, read: () => `{"count":${++count}}` },
  '/broken': { ...json, hasTag: true, read: () => Promise.reject(new Error('away')) },
}
const security = makeSecurityHeaders('http://site.test')
const writeShort = makeWriteShort(security)
let count = 0
let server: Server
let origin: string
const failures: unknown[] = []

beforeAll(async () => {
  server = createServer((req, res) => {
    giveRequestId(req)
    const document = documents[req.url ?? '']
    if (document)
      writeShort(document, req, res)?.catch((error: unknown) => {
        failures.push(error)
        res.writeHead(500, { 'content-length': 0 }).end()
      })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  origin = `http://127.0.0.1:${port}`
})
afterAll(() => server.close())

const named = Object.keys(documents).filter((path) => path !== '/broken' && path !== '/counted')

/** The parts of a response that the document determines. */
async function toTold(answer: Response) {
  const names = ['cache-control', 'content-type', 'content-length', 'etag']
  return { status: answer.status, body: await answer.text(), headers: names.map((name) => answer.headers.get(name)) }
}

describe.each(named)('%s', (path) => {
  const document = documents[path]
  if (!document) throw new Error(`no document ${path}`)
  const ask = (init: RequestInit = {}) => fetch(origin + path, init)
  const handle = (init: RequestInit = {}) => {
    const { GET } = shortRoute('/x', document).handlers
    if (!GET) throw new Error('nothing answers GET')
    return GET(new Request(`${origin}/x`, init), '', '')
  }

  it('is served byte for byte as its handler answers it', async () => {
    const answer = await ask()
    expect(await toTold(answer.clone())).toEqual(await toTold(await handle()))
    expect(Buffer.from(await answer.arrayBuffer())).toEqual(Buffer.from(await document.read()))
    expect(Object.fromEntries(answer.headers)).toMatchObject(security('document'))
    expect(answer.headers.get('x-request-id')).toMatch(/^[\da-f-]{36}$/)
  })

  it('has no body for HEAD, and the headers of GET', async () => {
    const [head, get] = await Promise.all([ask({ method: 'HEAD' }), ask()])
    expect(await toTold(head)).toEqual({ ...(await toTold(get)), body: '' })
    expect(await toTold(await handle({ method: 'HEAD' }))).toEqual(await toTold(await ask({ method: 'HEAD' })))
  })

  it('is answered with 304 to a client that has it, if it has an entity tag', async () => {
    const etag = (await ask()).headers.get('etag')
    expect(etag !== null).toBe(document.hasTag)
    const headers = { 'if-none-match': etag ?? '*' }
    const again = await ask({ headers })
    expect(again.status).toBe(document.hasTag ? 304 : 200)
    expect(await toTold(again)).toEqual(await toTold(await handle({ headers })))
    // Headers of a 304 update those in a cache (RFC 9111, 3.2).
    expect(Object.fromEntries(again.headers)).toMatchObject(security('document'))
    expect(again.headers.get('x-request-id')).toMatch(/^[\da-f-]{36}$/)
    expect((await ask({ headers: { 'if-none-match': '"another"' } })).status).toBe(200)
  })
})

it('sends nothing if it cannot be read, and reports that to the server', async () => {
  expect((await fetch(`${origin}/broken`)).status).toBe(500)
  expect(failures).toEqual([new Error('away')])
})

it('is read again as soon as it changes, with a new entity tag', async () => {
  const [first, second] = [await fetch(`${origin}/counted`), await fetch(`${origin}/counted`)]
  expect([await first.json(), await second.json()]).toEqual([{ count: 1 }, { count: 2 }])
  expect(first.headers.get('etag')).not.toBe(second.headers.get('etag'))
})
