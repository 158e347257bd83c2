import { randomBytes } from 'node:crypto'

/** Ids of a span and of its trace (W3C Trace Context). */
export interface Place {
  /** 32 hexadecimal digits. */
  readonly traceId: string
  /** 16 hexadecimal digits. */
  readonly spanId: string
  readonly isSampled: boolean
}

const pattern = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/

/** Reads the header `traceparent`; undefined when it is absent or not valid (W3C Trace Context). */
export function readTraceparent(header: string | undefined): Place | undefined {
  const [, version, traceId = '', spanId = '', flags = '', more] = pattern.exec(header ?? '') ?? []
  if (version === undefined || version === 'ff' || (version === '00' && more !== undefined)) return undefined
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 }
}

export const newSpanId = (): string => randomBytes(8).toString('hex')
export const newTraceId = (): string => randomBytes(16).toString('hex')
