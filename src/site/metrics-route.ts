import { toNodeHandle } from '../http/node-handle.ts'
import { toRawHeaders } from '../http/raw-headers.ts'
import type { NodeHandle, Route } from '../http/route.ts'
import type { makeMetricsAnswer } from '../metrics/metrics-answer.ts'

/** `/metrics` of the site. Who asks is read from the connection and from what came over it: the front has cleaned the rest. */
export const makeMetricsRoute = (answer: ReturnType<typeof makeMetricsAnswer>): Route<NodeHandle> => ({
  path: '/metrics',
  handlers: {
    GET(req, res, name) {
      const headers = toRawHeaders(req)
      return toNodeHandle(() => answer({ peer: req.socket.remoteAddress ?? '', headers }))(req, res, name)
    },
  },
})
