import { expect, it } from 'vitest'
import { Problem } from '../../src/core/problem.ts'
import { makeRouter } from '../../src/http/make-router.ts'
import type { Route } from '../../src/http/route.ts'

const failures: string[] = []
const routes: Route[] = [
  { path: '/deaths', handlers: { GET: () => new Response('all of them') } },
  { path: '/icons/*', handlers: { GET: (_, name) => new Response(`icon ${name}`) } },
  { path: '/death/:id', handlers: { GET: (_, name) => new Response(`death ${name}`) } },
  {
    path: '/say',
    handlers: { POST: async (request) => new Response(await request.text()) },
    maxBodyBytes: 8,
  },
  {
    path: '/broken',
    handlers: {
      GET: () => {
        throw new Error('a secret rt_abcdefghijklmnopqrstuvwxyz')
      },
      POST: () => {
        throw new Problem('wrong-token')
      },
    },
  },
]
const answer = makeRouter({
  routes,
  baseUrl: 'http://site.test',
  notFound: () => new Response('<h1>nothing here</h1>', { status: 404, headers: { 'content-type': 'text/html' } }),
  report: ({ error }) => failures.push(error),
})
const ask = (path: string, init?: RequestInit) => answer(new Request(`http://game.test${path}`, init), path, '')

it('finds a route by its path, by a path with one variable part, and by its folder', async () => {
  expect(await (await ask('/deaths')).text()).toBe('all of them')
  expect(await (await ask('/death/d_9')).text()).toBe('death d_9')
  expect(await (await ask('/death/%C3%A9')).text()).toBe('death é')
  expect(await (await ask('/death/:id')).text()).toBe('death :id')
  expect(await (await ask('/icons/a/b.svg')).text()).toBe('icon a/b.svg')
})

it.each(['/death', '/icons/', '/death/a/b', '/deaths/x', '/Deaths'])('has no route for %s', async (path) => {
  expect((await ask(path)).status).toBe(404)
})

it('answers people with a page for an unknown path, and programs with a problem document', async () => {
  const page = await ask('/nowhere', { headers: { accept: 'text/html' } })
  expect([page.status, page.headers.get('content-type')]).toEqual([404, 'text/html'])
  expect((await ask('/nowhere')).headers.get('content-type')).toBe('application/problem+json')
})

it('names the methods of a path for OPTIONS and after a wrong method', async () => {
  const refusal = await ask('/deaths', { method: 'POST', body: 'x' })
  expect([refusal.status, refusal.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS'])
  const preflight = await ask('/say', { method: 'OPTIONS' })
  expect([preflight.status, preflight.headers.get('access-control-allow-methods')]).toEqual([204, 'POST, OPTIONS'])
  expect(preflight.headers.get('access-control-allow-headers')).toContain('PAYMENT-SIGNATURE')
})

it('reads a body within its limit, and refuses a longer one however it is sent', async () => {
  expect(await (await ask('/say', { method: 'POST', body: '12345678' })).text()).toBe('12345678')
  expect((await ask('/say', { method: 'POST', body: '123456789' })).status).toBe(413)
  const stream = new ReadableStream({
    start(controller) {
      controller.enqueue(new TextEncoder().encode('123456789'))
      controller.close()
    },
  })
  const endless: RequestInit & { duplex: 'half' } = { method: 'POST', body: stream, duplex: 'half' }
  expect((await ask('/say', endless)).status).toBe(413)
})

it('blames the client for a body that breaks off, and logs nothing', async () => {
  const body = new ReadableStream({ pull: (controller) => controller.error(new Error('read ECONNRESET')) })
  const broken: RequestInit & { duplex: 'half' } = { method: 'POST', body, duplex: 'half' }
  const refused = await ask('/say', broken)
  expect([refused.status, await refused.json()]).toMatchObject([400, { errors: [{ detail: 'the body was cut off' }] }])
  expect(failures).toEqual([])
})

it('reports why a route refuses, and logs an exception without sending it or logging a token', async () => {
  expect((await ask('/broken', { method: 'POST', body: '' })).status).toBe(401)
  const broken = await ask('/broken')
  expect(broken.status).toBe(500)
  expect(await broken.text()).not.toContain('secret')
  expect(failures).toEqual(['GET /broken: Error: a secret [removed]'])
})

it('throws at construction when two routes have one path', () => {
  const twice: Route[] = [...routes, { path: '/deaths', handlers: {} }]
  const notFound = () => new Response()
  expect(() => makeRouter({ routes: twice, baseUrl: '', notFound, report: () => {} })).toThrow('/deaths')
})
