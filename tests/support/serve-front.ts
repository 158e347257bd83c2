import type { Server } from 'node:http'
import { makeGuardedServer } from '../../src/http/guarded-server.ts'
import { makeSecurityHeaders } from '../../src/http/security-headers.ts'
import { makeSendProblem } from '../../src/http/send-problem.ts'
import { type FrontOptions, makeFront } from '../../src/site/front.ts'

/** The server of a site with one fixed build; not listening yet. */
export function serveFront(options: FrontOptions): Server {
  const { baseUrl } = options.build.facts
  const security = makeSecurityHeaders(baseUrl)
  const sendProblem = makeSendProblem({ baseUrl, security })
  return makeGuardedServer({ security, sendProblem, route: makeFront(options).answer })
}
