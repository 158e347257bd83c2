import { AsyncLocalStorage } from 'node:async_hooks'
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Config } from '../config/config.ts'
import type { Log } from '../core/log.ts'
import { requestIdOf } from '../http/request-id.ts'
import { exportSpans } from './export-spans.ts'
import type { EndedSpan } from './otlp.ts'
import { type Attributes, noTrace, type Trace } from './trace.ts'
import { newSpanId, newTraceId, type Place, readTraceparent } from './traceparent.ts'

interface Options {
  readonly config: Config['tracing']
  /** Name of the program, unless the settings give one. */
  readonly program: 'farthing-site' | 'farthing-game'
  /**
   * The route that a path belongs to, such as `/posts/{slug}`; paths themselves may hold what only their owner knows.
   */
  readonly routeOf: (path: string) => string | undefined
  readonly log: Log
  readonly everyMs?: number
}

/** Records the requests of a program and their steps as traces. */
export interface Tracing {
  readonly trace: Trace
  /** Wraps a listener: each request becomes a span of the trace that its `traceparent` names, or of a new one. */
  listen(listener: RequestListener): RequestListener
  /** To be called after the last request: sends the remaining spans, for a few seconds at most. */
  close(): Promise<void>
}

const none: Tracing = { trace: noTrace, listen: (listener) => listener, close: async () => {} }

/**
 * Records traces if a collector is configured (OpenTelemetry, by OTLP over HTTP in JSON), and does nothing otherwise.
 * Written here and not taken from the SDK: that is 24 MB in 2900 files, and 29 MB of memory, for what these files do.
 */
export function openTracing({ config, program, routeOf, log, everyMs }: Options): Tracing {
  if (!config) return none
  const { url, headers, share } = config
  const resource = { 'service.name': config.serviceName ?? program }
  const exporter = exportSpans({ url, headers, resource, log, ...(everyMs && { everyMs }) })
  const current = new AsyncLocalStorage<Place>()
  const now = (): number => performance.timeOrigin + performance.now()

  const begin = (place: Place, about: Pick<EndedSpan, 'name' | 'kind' | 'parentId'>, first: Attributes) => {
    const from = now()
    const { traceId, spanId } = place
    let attributes = first
    return {
      know(more: Attributes): void {
        attributes = { ...attributes, ...more }
      },
      end(hasFailed: boolean): void {
        exporter.add({ ...about, traceId, spanId, from, until: now(), attributes, hasFailed })
      },
    }
  }

  const trace: Trace = async (name, attributes, work) => {
    const parent = current.getStore()
    if (!parent) return noTrace(name, attributes, work)
    const place = { ...parent, spanId: newSpanId() }
    const span = begin(place, { name, kind: 'internal', parentId: parent.spanId }, attributes)
    try {
      const result = await current.run(place, () => work(span))
      span.end(false)
      return result
    } catch (error) {
      // Only the name: the message of an error may repeat what a buyer sent.
      span.know({ 'error.type': error instanceof Error ? error.name : 'unknown' })
      span.end(true)
      throw error
    }
  }

  const begun = (req: IncomingMessage, res: ServerResponse): Place | undefined => {
    const sender = readTraceparent(req.headers['traceparent']?.toString())
    if (!(sender?.isSampled ?? Math.random() < share)) return undefined
    const place = { traceId: sender?.traceId ?? newTraceId(), spanId: newSpanId(), isSampled: true }
    const method = knownMethods.has(req.method ?? '') ? req.method : '_OTHER'
    const route = routeOf(req.url?.split('?', 1)[0] ?? '')
    const name = route === undefined ? `${method}` : `${method} ${route}`
    const about = { name, kind: 'server', parentId: sender?.spanId } as const
    const span = begin(place, about, {
      'http.request.method': method,
      'http.route': route,
      'farthing.request_id': requestIdOf(req),
    })
    res.once('close', () => {
      const status = res.headersSent ? res.statusCode : undefined
      span.know({ 'http.response.status_code': status })
      span.end(status === undefined || status >= 500)
    })
    return place
  }

  return {
    trace,
    listen: (listener) => (req, res) => {
      const place = begun(req, res)
      if (place) current.run(place, () => listener(req, res))
      else listener(req, res)
    },
    close: exporter.close,
  }
}

/** Other methods are recorded as `_OTHER`, because each made-up method would become another span name. */
const knownMethods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'CONNECT', 'QUERY'])
