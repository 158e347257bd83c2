import { z } from 'zod'
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

/** Has requests answered by the host that has their session. What another host says by and by is not listened to. */
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
      const { status, headers, body } = told.parse(await peers.ask(address, asked))
      return new Response(body === '' ? null : body, { status, headers })
    },
  }
}

/** Answers such requests here by the routes of the tools, and writes the answers down. */
export const answerForOther =
  (routes: readonly Route[], gameUrl: string) =>
  async ({ method, headers, body, caller }: Extract<HostOrder, { order: 'tools' }>): Promise<z.input<typeof told>> => {
    const handle = routes.find(({ path }) => path === '/mcp')?.handlers[method]
    if (!handle) throw new Error(`nobody answers ${method} for the tools`)
    const request = new Request(`${gameUrl}/mcp`, { method, headers, ...(method === 'POST' && { body }) })
    const answer = await handle(request, '', caller)
    return { status: answer.status, headers: [...answer.headers], body: await answer.text() }
  }
