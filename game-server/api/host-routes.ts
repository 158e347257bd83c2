import { Problem } from '../../src/core/problem.ts'
import { isBearer } from '../../src/http/is-bearer.ts'
import type { Route } from '../../src/http/route.ts'
import { type HostOrder, hostRequest } from '../hosts/host-order.ts'
import { hostsPath } from '../hosts/peers.ts'
import type { Moderation } from '../moderation/moderation.ts'
import type { Game } from '../sessions/game.ts'
import { makeLocalDungeon } from '../sessions/local-dungeon.ts'
import { sendShout } from '../sockets/send-to-people.ts'
import type { Sockets } from '../sockets/serve-sockets.ts'
import { readJsonBody } from '../store/read-json-body.ts'
import { sendAway } from './send-away.ts'
import { toLive } from './to-live.ts'

/** An MCP message may have 64 KiB, and JSON may escape each byte of it as six when it is forwarded. */
const maxBodyBytes = 512 * 1024

interface Options {
  /** The secret that all hosts of a database share. */
  readonly key: string
  readonly game: Game
  readonly sockets: Sockets
  readonly moderation: Moderation
  /** Answers a forwarded MCP request as if the client had sent it here. */
  readonly answerTools: (order: Extract<HostOrder, { order: 'tools' }>) => Promise<object>
}

/** `POST /api/hosts`: requests from the other game hosts of the same database. */
export function makeHostRoutes({ key, game, sockets, moderation, answerTools }: Options): Route[] {
  const dungeon = makeLocalDungeon(game)

  async function obey(asked: HostOrder): Promise<object> {
    switch (asked.order) {
      case 'join':
        return dungeon.join(asked.request)
      case 'look':
        return dungeon.look(asked.token, { full: asked.full ?? false })
      case 'act':
        return dungeon.act(asked.token, asked.key)
      case 'tools':
        return answerTools(asked)
      case 'live':
        return toLive(game, sockets)
      case 'announce':
        sockets.announce(asked.text)
        return {}
      case 'shout':
        sendShout(game, asked.shout)
        return {}
      case 'ruled':
        await moderation.refresh()
        if (asked.kicked !== undefined) sendAway(asked.kicked, { game, sockets })
        return {}
    }
  }

  return [
    {
      path: hostsPath,
      maxBodyBytes,
      handlers: {
        async POST(request) {
          if (!isBearer(request.headers.get('authorization'), key)) throw new Problem('not-found')
          const { ask } = await readJsonBody(hostRequest, request, maxBodyBytes)
          return Response.json(await obey(ask))
        },
      },
    },
  ]
}
