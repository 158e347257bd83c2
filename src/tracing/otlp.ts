import type { Attributes } from './trace.ts'

/** A span that has ended. */
export interface EndedSpan {
  readonly traceId: string
  readonly spanId: string
  readonly parentId: string | undefined
  readonly name: string
  readonly kind: 'server' | 'internal'
  /** Milliseconds since 1970, with fractions. */
  readonly from: number
  readonly until: number
  readonly attributes: Attributes
  readonly hasFailed: boolean
}

const kinds = { internal: 1, server: 2 } as const
const failed = { code: 2 }

/**
 * The request of OTLP/HTTP in JSON (opentelemetry-proto 1, `ExportTraceServiceRequest`): ids are hexadecimal, enums are
 * numbers, and whole numbers of 64 bits are text.
 */
export const toOtlp = (spans: readonly EndedSpan[], resource: Attributes) => ({
  resourceSpans: [
    {
      resource: { attributes: toAttributes(resource) },
      scopeSpans: [{ scope: { name: 'farthing' }, spans: spans.map(toSpan) }],
    },
  ],
})

const toSpan = ({ traceId, spanId, parentId, name, kind, from, until, attributes, hasFailed }: EndedSpan) => ({
  traceId,
  spanId,
  ...(parentId !== undefined && { parentSpanId: parentId }),
  name,
  kind: kinds[kind],
  startTimeUnixNano: toNanos(from),
  endTimeUnixNano: toNanos(until),
  attributes: toAttributes(attributes),
  ...(hasFailed && { status: failed }),
})

const toAttributes = (attributes: Attributes) =>
  Object.entries(attributes).flatMap(([key, value]) => {
    if (value === undefined) return []
    return [
      { key, value: typeof value === 'string' ? { stringValue: value } : { intValue: String(Math.round(value)) } },
    ]
  })

/** Nanoseconds, rounded down to whole microseconds, which a number can still hold exactly. */
const toNanos = (ms: number): string => String(BigInt(Math.floor(ms * 1000)) * 1000n)
