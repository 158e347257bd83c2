import { toNodeHandle } from '../http/node-handle.ts'
import { toRawHeaders } from '../http/raw-headers.ts'
import type { NodeHandle, Route } from '../http/route.ts'
import type { makeMetricsAnswer } from '../metrics/metrics-answer.ts'

/**
 * `/metrics` of the site. The caller is identified by the connection and the raw headers, because the front has removed
 * or replaced some of `req.headers`.
 */
export const makeMetricsRoute = (answer: ReturnType<typeof makeMetricsAnswer>): Route<NodeHandle> => ({
  path: '/metrics',
  handlers: {
    GET(req, res, name) {
      const headers = toRawHeaders(req)
      return toNodeHandle(() => answer({ peer: req.socket.remoteAddress ?? '', headers }))(req, res, name)
    },
  },
})
