import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'

const attribute = z.strictObject({
  key: z.string().min(1),
  value: z.union([
    z.strictObject({ stringValue: z.string() }),
    z.strictObject({ intValue: z.string().regex(/^-?\d+$/) }),
  ]),
})
const nanos = z.string().regex(/^\d{19}$/)
const spanSchema = z.strictObject({
  traceId: z.string().regex(/^[0-9a-f]{32}$/),
  spanId: z.string().regex(/^[0-9a-f]{16}$/),
  parentSpanId: z
    .string()
    .regex(/^[0-9a-f]{16}$/)
    .optional(),
  name: z.string().min(1),
  kind: z.literal([1, 2]),
  startTimeUnixNano: nanos,
  endTimeUnixNano: nanos,
  attributes: z.array(attribute),
  status: z.strictObject({ code: z.literal(2) }).optional(),
})
/** `ExportTraceServiceRequest` of opentelemetry-proto 1 in JSON, limited to the fields in use. */
const requestSchema = z.strictObject({
  resourceSpans: z.array(
    z.strictObject({
      resource: z.strictObject({ attributes: z.array(attribute) }),
      scopeSpans: z.array(z.strictObject({ scope: z.strictObject({ name: z.string() }), spans: z.array(spanSchema) })),
    }),
  ),
})

/** A span as the collector received it, with its attributes by name. */
interface GotSpan extends Omit<z.output<typeof spanSchema>, 'attributes'> {
  readonly service: string
  readonly known: Readonly<Record<string, string>>
}

/** A collector of traces (OTLP over HTTP) that validates strictly. */
export async function openTraceCollector() {
  const spans: GotSpan[] = []
  const wrong: string[] = []
  const asked: { readonly path: string; readonly headers: IncomingMessage['headers']; readonly body: string }[] = []
  /** The fates of the next requests, in order: a status, or no response. All later ones are accepted. */
  const faults: (number | 'silence')[] = []

  const toKnown = (attributes: readonly z.output<typeof attribute>[]) =>
    Object.fromEntries(
      attributes.map(({ key, value }) => [key, 'intValue' in value ? value.intValue : value.stringValue]),
    )

  const hear = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const body = Buffer.concat(chunks).toString()
    asked.push({ path: `${request.method} ${request.url}`, headers: request.headers, body })
    const fault = faults.shift()
    if (fault === 'silence') return
    if (fault !== undefined) {
      response.writeHead(fault).end()
      return
    }
    const read = requestSchema.safeParse(JSON.parse(body))
    if (!read.success) wrong.push(read.error.message)
    for (const { resource, scopeSpans } of read.data?.resourceSpans ?? [])
      for (const { attributes, ...span } of scopeSpans.flatMap((scope) => scope.spans))
        spans.push({ ...span, service: toKnown(resource.attributes)['service.name'] ?? '', known: toKnown(attributes) })
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  }
  const server = createServer((request, response) => void hear(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = z.object({ port: z.number() }).parse(server.address())
  return {
    /** The value for `OTEL_EXPORTER_OTLP_ENDPOINT`. */
    endpoint: `http://127.0.0.1:${port}`,
    spans,
    /** Why requests were invalid. */
    wrong,
    asked,
    faults,
    async until(isThere: () => boolean): Promise<void> {
      while (!isThere()) await delay(10)
    },
    async close(): Promise<void> {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

export type TraceCollector = Awaited<ReturnType<typeof openTraceCollector>>
