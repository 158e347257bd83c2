import { createServer, request } from 'node:http'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { readConfig } from '../../src/config/config.ts'
import { makeFindTemplate } from '../../src/routes/find-template.ts'
import { exportSpans, mostWaiting } from '../../src/tracing/export-spans.ts'
import { openTracing } from '../../src/tracing/open-tracing.ts'
import type { EndedSpan } from '../../src/tracing/otlp.ts'
import { noTrace } from '../../src/tracing/trace.ts'
import { readTraceparent } from '../../src/tracing/traceparent.ts'
import { openTraceCollector, type TraceCollector } from '../support/trace-collector.ts'

const traceId = '0af7651916cd43dd8448eb211c80319c'
const spanId = 'b7ad6b7169203331'

describe('the trace context of a sender', () => {
  it('is parsed as W3C Trace Context defines it', () => {
    const place = { traceId, spanId }
    expect(readTraceparent(`00-${traceId}-${spanId}-01`)).toEqual({ ...place, isSampled: true })
    expect(readTraceparent(`00-${traceId}-${spanId}-02`)).toEqual({ ...place, isSampled: false })
    expect(readTraceparent(`cc-${traceId}-${spanId}-01-what-comes`)).toEqual({ ...place, isSampled: true })
  })

  it.each([
    undefined,
    '',
    `00-${traceId}-${spanId}`,
    `00-${traceId}-${spanId}-01-more`,
    `ff-${traceId}-${spanId}-01`,
    `00-${'0'.repeat(32)}-${spanId}-01`,
    `00-${traceId}-${'0'.repeat(16)}-01`,
    `00-${traceId.toUpperCase()}-${spanId}-01`,
    `00-${traceId}-${spanId}-01, 00-${traceId}-${spanId}-01`,
  ])('is not accepted from %j', (header) => {
    expect(readTraceparent(header)).toBeUndefined()
  })
})

describe('the route of a path', () => {
  const find = makeFindTemplate('site', () => ['/skills/x402-seller/raw'])
  it('is the declared one, or that of a product, and none for other paths', () => {
    expect(find('/posts/on-money')).toBe('/posts/{slug}')
    expect(find('/receipts/r_0123456789abcdef')).toBe('/receipts/{id}')
    expect(find('/skills/x402-seller/raw')).toBe('/skills/x402-seller/raw')
    expect(find('/')).toBe('/')
    expect(find('/wp-admin/setup.php')).toBeUndefined()
    expect(makeFindTemplate('game', () => [])('/api/store/unlock')).toBe('/api/store/unlock')
  })
})

describe('a collector', () => {
  let collector: TraceCollector
  beforeAll(async () => {
    collector = await openTraceCollector()
  })
  beforeEach(() => {
    for (const list of [collector.spans, collector.asked, collector.faults, collector.wrong]) list.length = 0
  })
  afterAll(() => collector.close())

  const span = (name: string): EndedSpan => ({
    ...{ traceId, spanId, parentId: undefined, name, kind: 'internal' },
    ...{
      from: Date.UTC(2026, 0, 1),
      until: Date.UTC(2026, 0, 1) + 1.5,
      attributes: { 'a.b': 'c', n: 7 },
      hasFailed: false,
    },
  })
  const open = (more: object = {}) => {
    const said: { reason: string; dropped: number }[] = []
    const exporter = exportSpans({
      url: `${collector.endpoint}/v1/traces`,
      headers: () => ({ 'api-key': 'secret-key' }),
      resource: { 'service.name': 'a-shop' },
      log: (_event, fields) => void said.push(Object.assign({ reason: '', dropped: 0 }, fields)),
      everyMs: 5,
      ...more,
    })
    return { exporter, said }
  }

  it('receives spans in batches, in the form of the protocol, with the configured headers', async () => {
    const { exporter, said } = open({ everyMs: 50 })
    for (const name of ['one', 'two', 'three']) exporter.add(span(name))
    await collector.until(() => collector.spans.length >= 3)
    expect(collector.asked).toMatchObject([
      { path: 'POST /v1/traces', headers: { 'api-key': 'secret-key', 'content-type': 'application/json' } },
    ])
    expect(collector.spans[0]).toMatchObject({
      ...{ service: 'a-shop', name: 'one', known: { 'a.b': 'c', n: '7' } },
      ...{ startTimeUnixNano: '1767225600000000000', endTimeUnixNano: '1767225600001500000' },
    })
    await exporter.close()
    expect([collector.wrong, said]).toEqual([[], []])
  })

  it('that is busy, silent or down receives them later, and the log says so once', async () => {
    const { exporter, said } = open({ deadlineMs: 2000 })
    collector.faults.push(503, 'silence', 429)
    exporter.add(span('late'))
    await collector.until(() => collector.spans.length > 0)
    expect(collector.asked.length).toBeGreaterThan(3)
    expect(said).toEqual([{ reason: 'the collector answered 503', dropped: 0 }])
    await exporter.close()
  })

  it('that refuses spans does not get them again', async () => {
    const { exporter, said } = open()
    collector.faults.push(401)
    exporter.add(span('refused'))
    await collector.until(() => said.length > 0)
    exporter.add(span('taken'))
    await collector.until(() => collector.spans.length > 0)
    expect(collector.spans.map(({ name }) => name)).toEqual(['taken'])
    expect(said).toEqual([{ reason: 'the collector answered 401', dropped: 1 }])
    await exporter.close()
  })

  it('that does not respond costs limited memory, and delays the end of the program for a limited time', async () => {
    const { exporter } = open({ lastMs: 100, everyMs: 60_000 })
    for (let at = 0; at < 10 * mostWaiting; at++) {
      collector.faults.push('silence')
      exporter.add(span(`${at}`))
    }
    await exporter.close()
    expect(collector.asked.length).toBeLessThan(3)
    // Earlier spans may still be on their way to the first collector.
    const other = await openTraceCollector()
    const rest = open({ url: `${other.endpoint}/v1/traces`, everyMs: 60_000, lastMs: 60_000 })
    for (let at = 0; at < mostWaiting + 5; at++) rest.exporter.add(span(`${at}`))
    await rest.exporter.close()
    expect(other.spans).toHaveLength(mostWaiting)
    await other.close()
  })

  it('receives a request as a child of its sender’s span, by route and status, with its own child spans', async () => {
    const { tracing: config } = readConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint })
    const routeOf = (path: string) => (path.startsWith('/secret/') ? '/secret/{word}' : undefined)
    const tracing = openTracing({ config, program: 'farthing-site', routeOf, log: () => {}, everyMs: 5 })
    const failing = () => tracing.trace('inner', {}, () => Promise.reject(new TypeError('do not tell')))
    const server = createServer(
      tracing.listen((_, res) => {
        void tracing.trace('outer', { n: 1 }, failing).catch(() => res.writeHead(503).end())
      }),
    )
    server.listen(0)
    const port = Object.assign({ port: 0 }, server.address()).port
    const ask = (headers: Record<string, string>, method = 'GET') =>
      new Promise<void>((resolve) => {
        request({ port, method, path: '/secret/hidden-word?key=hidden-key', headers }, (answer) => {
          answer.resume().once('end', resolve)
        }).end()
      })
    await ask({ traceparent: `00-${traceId}-${spanId}-01`, cookie: 'hidden-cookie' })
    await ask({ traceparent: `00-${traceId}-${spanId}-00` })
    await ask({}, 'PROPFIND')
    // A span outside of any request is not recorded.
    await tracing.trace('alone', {}, async () => {})
    await tracing.close()
    server.close()
    const [root, other] = collector.spans.filter(({ kind }) => kind === 2)
    expect(root).toMatchObject({
      ...{ traceId, parentSpanId: spanId, name: 'GET /secret/{word}', status: { code: 2 } },
      known: { 'http.request.method': 'GET', 'http.route': '/secret/{word}', 'http.response.status_code': '503' },
    })
    const outer = collector.spans.find((each) => each.name === 'outer' && each.traceId === traceId)
    const inner = collector.spans.find((each) => each.name === 'inner' && each.traceId === traceId)
    expect([outer?.parentSpanId, inner?.parentSpanId]).toEqual([root?.spanId, outer?.spanId])
    expect(inner).toMatchObject({ known: { 'error.type': 'TypeError' }, status: { code: 2 } })
    expect(other).toMatchObject({ name: '_OTHER /secret/{word}' })
    expect(other?.traceId).not.toBe(traceId)
    // Three spans for each of two recorded requests; the one between them was not sampled by its sender.
    expect(collector.spans).toHaveLength(6)
    expect(collector.asked.map(({ body }) => body).join()).not.toMatch(/hidden|do not tell|alone/)
    expect(collector.wrong).toEqual([])
  })
})

describe('the settings of tracing', () => {
  const OTEL_EXPORTER_OTLP_ENDPOINT = 'https://collector.example/otlp/'

  it('are those of OpenTelemetry, and record nothing by default', () => {
    const headers = 'api-key=hidden%20word,x-team=shop'
    const { tracing } = readConfig({ OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_EXPORTER_OTLP_HEADERS: headers })
    expect(tracing).toMatchObject({ url: 'https://collector.example/otlp/v1/traces', share: 1 })
    expect(tracing?.headers()).toEqual({ 'api-key': 'hidden word', 'x-team': 'shop' })
    expect(JSON.stringify(tracing)).not.toContain('hidden')
    const nobody = openTracing({
      config: readConfig({}).tracing,
      program: 'farthing-site',
      routeOf: () => '',
      log: () => {},
    })
    const listener = () => {}
    expect([nobody.trace, nobody.listen(listener)]).toEqual([noTrace, listener])
  })

  it.each([
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318' }, 'must be an http(s) address'],
    [{ OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }, 'must be http/json'],
    [{ OTEL_EXPORTER_OTLP_HEADERS: 'hidden-word' }, 'must be a list like'],
    [{ OTEL_EXPORTER_OTLP_HEADERS: 'a=hidden-word%' }, 'must be a list like'],
    [{ OTEL_EXPORTER_OTLP_HEADERS: 'a=hidden-word', OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c.example' }, 'must be https'],
    [{ OTEL_TRACES_SAMPLER_ARG: '2' }, 'must be a number from 0 to 1'],
  ])('refuse %j without printing it', (wrong, said) => {
    const read = () => readConfig({ OTEL_EXPORTER_OTLP_ENDPOINT, ...wrong })
    expect(read).toThrow(said)
    expect(read).not.toThrow('hidden-word')
  })
})
