import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { oauthPaths } from '../../src/oauth/places.ts'
import { loadBuild } from '../../src/server/build-folder.ts'
import { heardPost, testGameUrl } from '../support/running-service.ts'
import { testBaseUrl, testBuild } from '../support/running-site.ts'
import { findSchemaErrors } from '../support/validate-document.ts'
import { type Service, toPost } from './asking.ts'

const schema = z.record(z.string(), z.unknown())
const content = z.record(z.string(), z.object({ schema: schema.optional(), example: z.unknown().optional() }))
const response = z.object({
  $ref: z.string().optional(),
  description: z.string().optional(),
  content: content.optional(),
})
const operationSchema = z.object({
  operationId: z.string(),
  summary: z.string().min(3),
  parameters: z
    .array(
      z.object({
        $ref: z.string().optional(),
        name: z.string().optional(),
        in: z.string().optional(),
        required: z.boolean().optional(),
        example: z.unknown().optional(),
        schema: schema.optional(),
      }),
    )
    .default([]),
  requestBody: z
    .object({ content: z.record(z.string(), z.object({ schema, example: z.record(z.string(), z.unknown()) })) })
    .optional(),
  responses: z.record(z.string(), response),
})
const server = z.array(z.object({ url: z.string() }))
const pathSchema = z.object({
  servers: server.optional(),
  get: operationSchema.optional(),
  post: operationSchema.optional(),
  delete: operationSchema.optional(),
})
const documentSchema = z.object({
  openapi: z.literal('3.1.0'),
  info: z.looseObject({ version: z.literal('1.0.0') }),
  servers: server,
  paths: z.record(z.string(), pathSchema),
  components: z.looseObject({ responses: z.record(z.string(), response) }),
})

type Operation = z.output<typeof operationSchema>
interface Call {
  readonly name: string
  readonly path: string
  readonly method: string
  readonly origin: string
  readonly operation: Operation
}

/** Pages for people, and what they lead to; the operator's door is closed to everybody else. */
const gamePages = [
  '/',
  '/play.html',
  '/watch',
  '/store.html',
  '/mcp.html',
  '/cup',
  '/death/:id',
  '/replay/:id',
  '/receipts/:id',
  '/api/operator',
]
/** Asked without a token. */
const ofTheOperator = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'sales_report', arguments: {} } }
/** Of a page: its markdown, its styles. */
const partsOfPages = ['/[...path].md', '/theme.[version].css']

const pagesFolder = fileURLToPath(new URL('../../src/pages/', import.meta.url))
const toBlank = (path: string): string => path.replace(/\{\w+\}|\[\w+\]/g, '*')
const toPattern = (path: string): RegExp =>
  new RegExp(
    `^${path
      .split(/\{\w+\}/)
      .map(RegExp.escape)
      .join('[^/]+')}$`,
  )

export function machineDescription(service: Service): void {
  describe('GET /openapi.json: the machine description', () => {
    let document: z.output<typeof documentSchema>
    let calls: readonly Call[] = []
    const wholes = new Map<string, object>()
    let values: Readonly<Record<string, string>> = {}

    beforeAll(async () => {
      const { fetch, storageKey, veteran } = service()
      document = documentSchema.parse(await (await fetch('/openapi.json')).json())
      calls = Object.entries(document.paths).flatMap(([path, { servers = document.servers, get, post, ...more }]) =>
        servers.flatMap(({ url: origin }) =>
          Object.entries({ get, post, delete: more.delete }).flatMap(([method, operation]) =>
            operation ? [{ name: `${method.toUpperCase()} ${origin}${path}`, path, method, origin, operation }] : [],
          ),
        ),
      )
      values = {
        slug: heardPost,
        storage_key: storageKey,
        voiceId: 'English_SereneWoman',
        id: veteran.death,
        q: 'payment',
        player: veteran.playerName,
      }
    })

    const toValue = ({ path, origin }: Call, name: string): string => {
      if (path.startsWith('/skills/')) return 'feed-doctor'
      if (path.startsWith('/.well-known/')) return origin === testGameUrl ? 'undercroft' : 'buy-from-this-site'
      return values[name] ?? 'nothing'
    }
    /** The address of an operation with what it needs in path and query. */
    const toUrl = (call: Call, fill: (name: string) => string = (name) => toValue(call, name)): string => {
      const url = new URL(call.origin + call.path.replace(/\{(\w+)\}/g, (_, name: string) => fill(name)))
      for (const { name, in: place, required } of call.operation.parameters)
        if (place === 'query' && required && name) url.searchParams.set(name, fill(name))
      return url.href
    }
    /** One object for one schema, because compiling takes longer than asking. */
    const toWhole = (part: object): object => {
      const key = JSON.stringify(part)
      const whole = wholes.get(key) ?? { ...part, components: document.components }
      wholes.set(key, whole)
      return whole
    }
    const resolve = (status: number, { responses }: Operation) => {
      const found = responses[String(status)]
      const name = found?.$ref?.split('/').at(-1)
      return name === undefined ? found : document.components.responses[name]
    }
    /** What the description does not say of an answer; undefined when it says it all. */
    const findLie = async (call: Call, url: string, init: RequestInit, ask = service().fetch) => {
      const answer = await ask(url, { redirect: 'manual', ...init })
      const said = `${init.method} ${url} answers ${answer.status}`
      const documented = resolve(answer.status, call.operation)
      const body = Buffer.from(await answer.arrayBuffer())
      if (!documented) return `${said}: ${body.toString().slice(0, 200)}`
      if (body.length === 0) return undefined
      const type = (answer.headers.get('content-type') ?? '').split(';')[0] ?? ''
      const kind = documented.content?.[type]
      if (!kind) return `${said} as ${type}`
      if (!type.includes('json') || !kind.schema || answer.status === 206) return undefined
      const errors = findSchemaErrors(toWhole(kind.schema), JSON.parse(body.toString()))
      return errors.length > 0 ? `${said}: ${errors.slice(0, 3).join('; ')}` : undefined
    }
    /** Requests as they should be, and some that should not be. */
    function* requestsOf(call: Call): Generator<readonly [url: string, init: RequestInit]> {
      const { method, operation, path } = call
      const url = toUrl(call)
      const example = operation.requestBody?.content['application/json']?.example
      const form = operation.requestBody?.content['application/x-www-form-urlencoded']?.example
      const json = { 'content-type': 'application/json' }
      if (method === 'get') {
        yield [url, { method: 'GET' }]
        yield [url, { method: 'GET', headers: { 'if-none-match': '*' } }]
        yield [url, { method: 'GET', headers: { range: 'bytes=0-0' } }]
        yield [url, { method: 'GET', headers: { range: 'bytes=99999999-' } }]
        if (url.includes('?')) yield [url.split('?')[0] ?? '', { method: 'GET' }]
        if (path.includes('{')) yield [toUrl(call, () => 'no-such-thing'), { method: 'GET' }]
        if (operation.parameters.some(({ name }) => name === 'limit'))
          yield [`${url}${url.includes('?') ? '&' : '?'}limit=0`, { method: 'GET' }]
      } else {
        yield [url, { method: method.toUpperCase(), headers: json, ...(example && { body: JSON.stringify(example) }) }]
        if (form)
          yield [url, { method: 'POST', body: new URLSearchParams(z.record(z.string(), z.string()).parse(form)) }]
        yield [url, { method: method.toUpperCase() }]
        if (method === 'post') {
          if (path.endsWith('/mcp')) yield [url, toPost(ofTheOperator)]
          yield [url, { method: 'POST', headers: json, body: '{"no":"such field"}' }]
          yield [url, { method: 'POST', headers: { 'content-type': 'text/plain' }, body: 'words' }]
          yield [url, { method: 'POST', headers: json, body: `{"text":"${'x'.repeat(100_000)}"}` }]
        }
      }
    }

    it('is true of every operation: status, type and body of what the servers answer', {
      timeout: 60_000,
    }, async () => {
      const lies: string[] = []
      for (const call of calls)
        for (const [url, init] of requestsOf(call)) {
          const lie = await findLie(call, url, init)
          if (lie !== undefined) lies.push(lie)
        }
      expect(lies).toEqual([])
      expect(calls.length).toBeGreaterThan(70)
    })

    it.each(['get-skill', 'llms-full', 'bot-catalog', 'posts-export', 'unlock'])(
      'is true of what %s sells',
      async (id) => {
        const call = calls.find(({ operation }) => operation.operationId === id)
        const [first] = call ? requestsOf(call) : []
        if (!call || !first) throw new Error(`${id} is not described`)
        expect(await findLie(call, ...first, service().pay)).toBeUndefined()
      },
    )

    it('has a 200, a 402 or a way there for every operation that can be called', async () => {
      for (const { name, operation } of calls) expect(`${name} ${Object.keys(operation.responses)}`).toMatch(/ 20[01],/)
    })

    it('has examples that its own schemas allow', () => {
      const wrong = calls.flatMap(({ name, operation }) =>
        Object.values(operation.requestBody?.content ?? {})
          .flatMap((body) => findSchemaErrors(toWhole(body.schema), body.example))
          .map((error) => `${name}: ${error}`),
      )
      expect(wrong).toEqual([])
    })

    it('leaves out nothing that the site has built for programs', () => {
      const { manifest } = loadBuild(testBuild())
      const described = calls.filter(({ origin }) => origin === testBaseUrl).map(({ path }) => toPattern(path))
      const twins = new Set(Object.values(manifest).flatMap(({ twin }) => twin ?? []))
      const forPrograms = Object.entries(manifest).filter(
        ([path, { type }]) =>
          /^(?:application\/[\w.+-]*(?:json|xml)|text\/(?:plain|markdown|vtt|xml))/.test(type) &&
          !twins.has(path) &&
          !path.startsWith('/pagefind/'),
      )
      expect(forPrograms.map(([path]) => path).filter((path) => !described.some((one) => one.test(path)))).toEqual([])
      expect(forPrograms.length).toBeGreaterThan(20)
    })

    it('leaves out nothing that the site answers while it runs', () => {
      const described = new Set(calls.filter(({ origin }) => origin === testBaseUrl).map(({ path }) => toBlank(path)))
      const routes = readdirSync(pagesFolder, { recursive: true, encoding: 'utf8' })
        .filter(
          (file) => file.endsWith('.ts') && readFileSync(join(pagesFolder, file), 'utf8').includes('prerender = false'),
        )
        .map((file) => `/${file.replaceAll('\\', '/').slice(0, -'.ts'.length)}`)
      expect(routes.length).toBeGreaterThan(10)
      expect(
        routes.filter(
          (route) => !described.has(toBlank(route).replace(/\/index$/, '')) && !partsOfPages.includes(route),
        ),
      ).toEqual([])
    })

    it('leaves out nothing that gives programs a token', () => {
      const described = new Set(calls.map(({ path }) => path))
      const { authorize, token, register, revoke, jwks, serverMetadata, resourceMetadata } = oauthPaths
      const paths = [authorize, token, register, revoke, jwks, serverMetadata, ...resourceMetadata]
      expect(paths.filter((path) => !described.has(path))).toEqual([])
    })

    it('leaves out nothing that the game host answers', () => {
      const described = calls
        .filter(({ origin }) => origin === testGameUrl)
        .map(({ method, path }) => ({ method: method.toUpperCase(), pattern: toPattern(path) }))
      const routes = service()
        .gameRoutes.filter(({ path }) => !gamePages.includes(path))
        .flatMap(({ path, handlers }) => Object.keys(handlers).map((method) => ({ method, path })))
        .filter(({ method }) => method !== 'OPTIONS')
      const isDescribed = ({ method, path }: { method: string; path: string }): boolean =>
        described.some((one) => one.method === method && one.pattern.test(path.replace(':id', 'x.json')))
      expect(routes.filter((route) => !isDescribed(route))).toEqual([])
      expect(routes.length).toBeGreaterThan(25)
    })
  })
}
