import { Problem } from '../core/problem.ts'
import { isBearer } from '../http/is-bearer.ts'
import { type Metric, metricsType, toMetricsText } from './metric.ts'

/** Headers that say that somebody stands between the asker and us. */
const forwarding = /^(?:forwarded|via|x-real-ip|x-forwarded-.*)$/

interface Options {
  readonly metrics: readonly Metric[]
  /** With it one may ask from anywhere. */
  readonly token: string | undefined
  readonly report: (error: unknown) => void
}

/** Who asks: the address at the other end of the connection, and all headers as they came. */
export interface Asker {
  readonly peer: string
  readonly headers: Headers
}

/**
 * Answers `/metrics`: for programs on this machine that come past every proxy, and for whoever shows the token.
 *
 * @throws Problem `not-found` for everybody else, who learn no more than of an address that is not there
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
 * Whether a program on this machine asks for itself. A page in a browser here is somebody else's: it names its origin,
 * or, when its own name was made to lead here, that name.
 */
function isFromHere(peer: string, headers: Headers): boolean {
  const isNear = peer === '::1' || /^(?:::ffff:)?127\./.test(peer)
  if (!isNear || headers.has('origin')) return false
  if ([...headers.keys()].some((name) => forwarding.test(name))) return false
  return /^(?:localhost|127(?:\.\d+){3}|\[::1\])(?::\d+)?$/.test(headers.get('host') ?? '')
}
