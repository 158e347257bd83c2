import { z } from 'zod'
import { Problem, toProblemResponse } from '../../src/core/problem.ts'
import { requestIdIn } from '../../src/http/request-id.ts'
import type { Route } from '../../src/http/route.ts'
import type { HostOrder } from '../hosts/host-order.ts'
import type { Hosts } from '../hosts/hosts.ts'
import type { Peers } from '../hosts/peers.ts'
import type { FarSessions } from './legacy-sessions.ts'

const told = z.object({
  status: z.int(),
  headers: z.array(z.tuple([z.string(), z.string()])),
  body: z.string(),
})

interface Options {
  readonly hosts: Pick<Hosts, 'mark' | 'findByMark'>
  readonly peers: Pick<Peers, 'ask'>
}

/** When to retry: a host that hangs counts as dead after this time, and its sessions are gone then. */
const silentSeconds = 2

/**
 * Forwards requests to the host that has their session. Event streams (GET) are not forwarded and get a 405.
 *
 * @throws Problem busy when that host does not answer
 */
export function makeFarSessions({ hosts, peers }: Options): FarSessions {
  return {
    mark: hosts.mark,
    async ask(mark, request, caller) {
      const address = await hosts.findByMark(mark)
      if (address === undefined) return undefined
      if (request.method === 'GET') return new Response(null, { status: 405, headers: { allow: 'POST, DELETE' } })
      const asked: HostOrder = {
        order: 'tools',
        method: request.method === 'DELETE' ? 'DELETE' : 'POST',
        caller,
        headers: [...request.headers],
        body: await request.text(),
      }
      const answer = await peers.ask(address, asked).catch((cause: unknown) => {
        throw new Problem('busy', { detail: silent, retryAfterSeconds: silentSeconds, cause })
      })
      const { status, headers, body } = told.parse(answer)
      return new Response(body === '' ? null : body, { status, headers })
    },
  }
}

const silent =
  'The game host that has this session does not answer. Come again in a moment; a key that was pressed may have counted, so look before you press it again'

interface Answering {
  /** The routes of the MCP tools. */
  readonly routes: readonly Route[]
  readonly gameUrl: string
  readonly baseUrl: string
}

/** Answers a forwarded request with the routes of this host, and returns the response, problems included, as JSON. */
export const answerForOther =
  ({ routes, gameUrl, baseUrl }: Answering) =>
  async ({ method, headers, body, caller }: Extract<HostOrder, { order: 'tools' }>): Promise<z.input<typeof told>> => {
    const handle = routes.find(({ path }) => path === '/mcp')?.handlers[method]
    if (!handle) throw new Error(`nobody answers ${method} for the tools`)
    const request = new Request(`${gameUrl}/mcp`, { method, headers, ...(method === 'POST' && { body }) })
    let answer: Response
    try {
      answer = await handle(request, '', caller)
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      answer = toProblemResponse(error, { baseUrl, requestId: requestIdIn(request) })
    }
    return { status: answer.status, headers: [...answer.headers], body: await answer.text() }
  }
