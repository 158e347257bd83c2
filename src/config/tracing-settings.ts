import { z } from 'zod'

const tracesPath = '/v1/traces'

/** Parses the address of a collector and appends the path for traces, as OpenTelemetry specifies. */
export const otlpEndpoint = z
  .string()
  .refine((url) => /^https?:/.test(url) && URL.canParse(url), { error: 'must be an http(s) address', abort: true })
  .refine((url) => new URL(url).username + new URL(url).password === '', 'must not carry a user name or password')
  .transform((url) => url.replace(/\/+$/, '') + tracesPath)

/**
 * Parses `name=value,name=value` with percent-encoded values (W3C Baggage). Error messages do not repeat the values,
 * which may be keys.
 */
export const otlpHeaders = z.string().transform((text, context) => {
  const pairs = text.split(',').map((pair) => /^\s*([A-Za-z0-9-]+)\s*=\s*([\x21-\x7e]*)\s*$/.exec(pair))
  try {
    const headers = pairs.flatMap((pair) => (pair ? [[pair[1] ?? '', decodeURIComponent(pair[2] ?? '')] as const] : []))
    if (headers.length === pairs.length) return Object.fromEntries(headers)
  } catch {
    // A wrong percent-encoding is reported below.
  }
  context.addIssue({ code: 'custom', message: 'must be a list like api-key=abc,x-team=shop' })
  return z.NEVER
})

const wrongShare = 'must be a number from 0 to 1'

/** The share of new traces that are recorded. */
export const sampledShare = z
  .string()
  .trim()
  .regex(/^(?:\d+(?:\.\d*)?|\.\d+)(?:[eE]-?\d+)?$/, wrongShare)
  .transform(Number)
  .pipe(z.number(wrongShare).min(0, wrongShare).max(1, wrongShare))
