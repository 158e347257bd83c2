import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { testGameUrl } from '../support/running-service.ts'
import { testBaseUrl } from '../support/running-site.ts'
import { findSchemaErrors } from '../support/validate-document.ts'
import { type Service, toPost } from './asking.ts'
import { type Names, toAddress, toNames } from './filled-paths.ts'

const schema = z.record(z.string(), z.unknown())
const content = z.record(z.string(), z.object({ schema: schema.optional(), example: z.unknown().optional() }))
const response = z.object({
  $ref: z.string().optional(),
  description: z.string().optional(),
  content: content.optional(),
})
const server = z.array(z.object({ url: z.string() }))
const operationSchema = z.object({
  operationId: z.string(),
  summary: z.string().min(3),
  'x-payment-info': z.looseObject({}).optional(),
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
const pathSchema = z.record(z.enum(['get', 'post', 'delete', 'options']), operationSchema.optional())
const documentSchema = z.object({
  openapi: z.literal('3.1.0'),
  info: z.looseObject({ version: z.literal('1.0.0') }),
  servers: server,
  paths: z.record(z.string(), pathSchema),
  components: z.looseObject({ responses: z.record(z.string(), response) }),
})

type Operation = z.output<typeof operationSchema>
type Document = z.output<typeof documentSchema>
interface Call {
  readonly name: string
  readonly path: string
  readonly method: string
  readonly origin: string
  readonly operation: Operation
  readonly document: Document
}

const hello = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'reader', version: '1' } },
}
/**
 * Responses that other tests get: a sign-in, a cup that is over, what a player with a name and credits does, readers.
 */
const seenElsewhere = new Set([
  'get /oauth/authorize 303',
  'post /oauth/token 200',
  'post /oauth/revoke 200',
  'get /api/cups/{id} 200',
  'get /api/cup-runs/{id} 200',
  'post /api/store/frame 200',
  'post /api/credits/redeem 200',
  'post /api/credits/redeem 409',
  'post /api/wall 200',
  'get /api/library.json 200',
  'get /api/library.csv 200',
  'post /api/library/message 401',
  'post /api/library/sign-in 200',
  'get /api/library/{id} 200',
  'get /api/library/{id} 304',
  'get /api/library/{id} 404',
  'get /api/library/{id} 410',
  'post /api/webmention 202',
  'post /api/newsletter 303',
  'post /api/newsletter 400',
  'post /api/newsletter 413',
])
/** Headers of requests to a tool server that are not for its descriptor. */
const oddAnswers = [{ accept: 'text/html' }, { accept: 'text/event-stream' }, { 'mcp-session-id': 'over' }]
/** A tool of the operator without a token, a notification, and messages with headers that are refused. */
const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }
const ofTheOperator = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'sales_report', arguments: {} } }
const oddMessages: readonly (readonly [message: object, headers: Record<string, string>])[] = [
  [ofTheOperator, {}],
  [{ jsonrpc: '2.0', method: 'notifications/initialized' }, {}],
  [ping, { origin: 'https://elsewhere.example' }],
  [ping, { accept: 'text/html' }],
  [ping, { 'mcp-session-id': 'over' }],
]

export function machineDescription(service: Service): void {
  describe('GET /openapi.json: the machine description', () => {
    let calls: readonly Call[] = []
    const wholes = new Map<string, object>()
    let names: Names
    const seen = new Set<string>()

    beforeAll(async () => {
      const { fetch } = service()
      const read = async (origin: string): Promise<Call[]> => {
        const document = documentSchema.parse(await (await fetch(`${origin}/openapi.json`)).json())
        expect(document.servers).toEqual([{ url: origin }])
        return Object.entries(document.paths).flatMap(([path, methods]) =>
          Object.entries(methods).flatMap(([method, operation]) =>
            operation
              ? [{ name: `${method.toUpperCase()} ${origin}${path}`, path, method, origin, operation, document }]
              : [],
          ),
        )
      }
      calls = [...(await read(testBaseUrl)), ...(await read(testGameUrl))]
      names = await toNames(service())
    })

    /** The address of an operation with the values that its path and query need. */
    const toUrl = ({ path, origin, operation }: Call, isThere = true): string => {
      const host = origin === testGameUrl ? 'game' : 'site'
      const url = new URL(
        isThere
          ? toAddress({ host, path: `/${path.slice(1)}` }, names)
          : origin + path.replace(/\{\w+\}/g, 'no-such-thing'),
      )
      for (const { name, in: place, required } of operation.parameters)
        if (place === 'query' && required && name) url.searchParams.set(name, name === 'player' ? 'Veteran' : 'payment')
      return url.href
    }
    /** Returns the same object for the same schema, because compiling a schema takes longer than a request. */
    const toWhole = (part: object, document: Document): object => {
      const key = `${document.info['title']} ${JSON.stringify(part)}`
      const whole = wholes.get(key) ?? { ...part, components: document.components }
      wholes.set(key, whole)
      return whole
    }
    const resolve = (status: number, { operation: { responses }, document }: Call) => {
      const found = responses[String(status)]
      const name = found?.$ref?.split('/').at(-1)
      return name === undefined ? found : document.components.responses[name]
    }
    /** How a response differs from the description; undefined if it does not. */
    const findLie = async (call: Call, url: string, init: RequestInit, ask = service().fetch) => {
      const answer = await ask(url, { redirect: 'manual', ...init })
      const said = `${init.method} ${url} answers ${answer.status}`
      seen.add(`${call.method} ${call.path} ${answer.status}`)
      const documented = resolve(answer.status, call)
      const body = Buffer.from(await answer.arrayBuffer())
      if (!documented) return `${said}: ${body.toString().slice(0, 200)}`
      if (body.length === 0) return undefined
      const type = (answer.headers.get('content-type') ?? '').split(';')[0] ?? ''
      const kind = documented.content?.[type]
      if (!kind) return `${said} as ${type}`
      if (!type.includes('json') || !kind.schema || answer.status === 206) return undefined
      const errors = findSchemaErrors(toWhole(kind.schema, call.document), JSON.parse(body.toString()))
      return errors.length > 0 ? `${said}: ${errors.slice(0, 3).join('; ')}` : undefined
    }
    /** The header of a new session of a tool server, if it has sessions. */
    const openSession = async (url: string): Promise<Record<string, string>> => {
      const session = (await service().fetch(url, toPost(hello))).headers.get('mcp-session-id')
      return session === null ? {} : { 'mcp-session-id': session }
    }
    /** Valid requests, and some invalid ones. */
    async function* requestsOf(call: Call): AsyncGenerator<readonly [url: string, init: RequestInit]> {
      const { method, operation, path } = call
      const url = toUrl(call)
      const example = operation.requestBody?.content['application/json']?.example
      const form = operation.requestBody?.content['application/x-www-form-urlencoded']?.example
      const json = { 'content-type': 'application/json' }
      if (method === 'get') {
        yield [url, { method: 'GET' }]
        yield [url, { method: 'GET', headers: { 'if-none-match': '*' } }]
        yield [url, { method: 'GET', headers: { range: 'bytes=0-0' } }]
        yield [url, { method: 'GET', headers: { 'if-match': '"another"' } }]
        yield [url, { method: 'GET', headers: { range: 'bytes=99999999-' } }]
        if (path.endsWith('/mcp')) {
          const session = await openSession(url)
          const odd = { ...session, accept: 'text/event-stream', 'mcp-protocol-version': 'none' }
          for (const headers of [...oddAnswers, session, odd]) yield [url, { method: 'GET', headers }]
        }
        if (path.endsWith('/entitlements')) yield [url, { method: 'GET', headers: { authorization: 'Bearer rt_no' } }]
        if (url.includes('?')) yield [url.split('?')[0] ?? '', { method: 'GET' }]
        if (path.includes('{')) yield [toUrl(call, false), { method: 'GET' }]
        if (operation.parameters.some(({ name }) => name === 'limit'))
          yield [`${url}${url.includes('?') ? '&' : '?'}limit=0`, { method: 'GET' }]
        if (operation.parameters.some(({ name }) => name === 'before'))
          yield [`${url}?before=one&before=other`, { method: 'GET' }]
      } else {
        yield [url, { method: method.toUpperCase(), headers: json, ...(example && { body: JSON.stringify(example) }) }]
        if (form)
          yield [url, { method: 'POST', body: new URLSearchParams(z.record(z.string(), z.string()).parse(form)) }]
        if (form && path.startsWith('/api/'))
          yield [url, { method: 'POST', body: new URLSearchParams({ text: 'x'.repeat(100_000) }) }]
        yield [url, { method: method.toUpperCase() }]
        if (method === 'delete') {
          const headers = await openSession(url)
          yield [url, { method: 'DELETE', headers: { 'mcp-session-id': 'over' } }]
          yield [url, { method: 'DELETE', headers: { ...headers, 'mcp-protocol-version': 'none' } }]
          yield [url, { method: 'DELETE', headers }]
        }
        if (example && 'sku' in example) yield [url, toPost({ ...example, sku: 'nothing' })]
        if (method === 'post') {
          if (path.endsWith('/mcp')) for (const [message, headers] of oddMessages) yield [url, toPost(message, headers)]
          yield [url, { method: 'POST', headers: json, body: '{"no":"such field"}' }]
          yield [url, { method: 'POST', headers: { 'content-type': 'text/plain' }, body: 'words' }]
          yield [url, { method: 'POST', headers: json, body: `{"text":"${'x'.repeat(100_000)}"}` }]
        }
      }
    }

    it('is true of every operation: status, type and body of what the servers answer', async () => {
      const lies: string[] = []
      for (const call of calls)
        for await (const [url, init] of requestsOf(call)) {
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
        if (!call) throw new Error(`${id} is not described`)
        const first = await requestsOf(call).next()
        if (first.done) throw new Error(`${id} cannot be asked`)
        expect(await findLie(call, ...first.value, service().pay)).toBeUndefined()
      },
    )

    it('has a successful response or a redirect for every operation that can be called', async () => {
      for (const { name, operation } of calls)
        expect(`${name} ${Object.keys(operation.responses)}`).toMatch(/ (?:20[0124]|30[38])/)
    })

    it('has examples that its own schemas allow', () => {
      const wrong = calls.flatMap(({ name, operation, document }) =>
        Object.values(operation.requestBody?.content ?? {})
          .flatMap((body) => findSchemaErrors(toWhole(body.schema, document), body.example))
          .map((error) => `${name}: ${error}`),
      )
      expect(wrong).toEqual([])
    })

    it('names only responses that occur, except those of a program that fails, is busy or limits requests', () => {
      const unseen = calls.flatMap(({ operation, path, method }) =>
        (operation['x-payment-info'] ? [] : Object.keys(operation.responses))
          .filter((status) => !/^(?:429|50\d)$/.test(status))
          .map((status) => `${method} ${path} ${status}`)
          .filter((answer) => !seen.has(answer) && !seenElsewhere.has(answer)),
      )
      expect([...new Set(unseen)]).toEqual([])
    })
  })
}
