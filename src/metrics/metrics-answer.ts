import { Problem } from '../core/problem.ts'
import { isBearer } from '../http/is-bearer.ts'
import { type Metric, metricsType, toMetricsText } from './metric.ts'

/** Headers that show that the request came through a proxy. */
const forwarding = /^(?:forwarded|via|x-real-ip|x-forwarded-.*)$/

interface Options {
  readonly metrics: readonly Metric[]
  /** A bearer token with which requests may come from anywhere; undefined when none is set. */
  readonly token: string | undefined
  readonly report: (error: unknown) => void
}

/** The sender of a request: the address at the other end of the connection, and all headers as received. */
export interface Asker {
  readonly peer: string
  readonly headers: Headers
}

/**
 * Answers `/metrics`: to programs on this machine that connect without a proxy, and to requests with the token.
 *
 * @throws Problem `not-found` for everybody else, as for a path that does not exist
 */
export const makeMetricsAnswer =
  ({ metrics, token, report }: Options) =>
  async ({ peer, headers }: Asker): Promise<Response> => {
    const isShown = token !== undefined && isBearer(headers.get('authorization'), token)
    if (!isShown && !isFromHere(peer, headers)) throw new Problem('not-found')
    const text = await toMetricsText(metrics, report)
    return new Response(text, { headers: { 'content-type': metricsType, 'cache-control': 'no-store' } })
  }

/**
 * Whether a program on this machine sends the request for itself. Requests of web pages in a browser on this machine
 * are refused: they have an `Origin`, or, after DNS rebinding, the name of the foreign site as `Host`.
 */
function isFromHere(peer: string, headers: Headers): boolean {
  const isNear = peer === '::1' || /^(?:::ffff:)?127\./.test(peer)
  if (!isNear || headers.has('origin')) return false
  if ([...headers.keys()].some((name) => forwarding.test(name))) return false
  return /^(?:localhost|127(?:\.\d+){3}|\[::1\])(?::\d+)?$/.test(headers.get('host') ?? '')
}
