import { z } from 'zod'

const tracesPath = '/v1/traces'

/** Where traces go: the address of a collector, to which the path of traces is added, as OpenTelemetry says. */
export const otlpEndpoint = z
  .string()
  .refine((url) => /^https?:/.test(url) && URL.canParse(url), { error: 'must be an http(s) address', abort: true })
  .refine((url) => new URL(url).username + new URL(url).password === '', 'must not carry a user name or password')
  .transform((url) => url.replace(/\/+$/, '') + tracesPath)

/** `name=value,name=value`, values with percent signs as in addresses (W3C Baggage). Refused without being repeated. */
export const otlpHeaders = z.string().transform((text, context) => {
  const pairs = text.split(',').map((pair) => /^\s*([A-Za-z0-9-]+)\s*=\s*([\x21-\x7e]*)\s*$/.exec(pair))
  try {
    const headers = pairs.flatMap((pair) => (pair ? [[pair[1] ?? '', decodeURIComponent(pair[2] ?? '')] as const] : []))
    if (headers.length === pairs.length) return Object.fromEntries(headers)
  } catch {
    // Said below.
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
