import { z } from 'zod'
import { makeEventLoopDelays } from '../../src/core/event-loop-delays.ts'
import { playerNamePattern, playerNameRule, toPlayerKey } from '../../src/core/player-name.ts'
import { Problem } from '../../src/core/problem.ts'
import { isBearer } from '../../src/http/is-bearer.ts'
import type { Route } from '../../src/http/route.ts'
import type { HostOrder } from '../hosts/host-order.ts'
import type { Moderation } from '../moderation/moderation.ts'
import type { Game } from '../sessions/game.ts'
import type { Sockets } from '../sockets/serve-sockets.ts'
import { readJsonBody } from '../store/read-json-body.ts'
import { sendAway } from './send-away.ts'

const orderSchema = z.object({
  order: z.enum(['kick', 'mute', 'reserve', 'announce', 'metrics']),
  player: z.string().regex(playerNamePattern, `must be ${playerNameRule}`).optional(),
  /** 0 lifts an earlier ruling. */
  minutes: z.number().min(0).max(5_256_000).optional(),
  text: z.string().min(1).max(200).optional(),
})

interface Options {
  /** The operator's bearer token, kept in the data folder. */
  readonly secret: string
  readonly game: Game
  readonly sockets: Sockets
  readonly moderation: Moderation
  readonly now: () => number
  /** Sends a request to the other hosts, where several share the database. */
  readonly askOthers?: ((order: HostOrder) => Promise<unknown[]>) | undefined
}

const usualMinutes = { kick: 60, mute: 60, reserve: 5_256_000 }

/** `POST /api/operator`: the operator's commands to the running game, used by `npm run operator`. */
export function makeOperatorRoutes({ secret, game, sockets, moderation, now, askOthers }: Options): Route[] {
  const startedAt = now()
  const delays = makeEventLoopDelays()
  delays.start()

  function measure() {
    const sessions = [...game.sessions()]
    const eventLoopP99Ms = Math.round(delays.quantileMs(0.99) * 100) / 100
    delays.reset()
    return {
      upSeconds: Math.round((now() - startedAt) / 1000),
      sockets: sockets.count(),
      playing: sessions.filter(({ isHere, isOver }) => isHere && !isOver).length,
      realms: [...game.realms()].length,
      keys: game.keys(),
      unwrittenCommands: game.lag(),
      eventLoopP99Ms,
      memoryMb: Math.round(process.memoryUsage.rss() / 1e6),
    }
  }

  async function rule(kind: 'kick' | 'mute' | 'reserve', name: string, minutes = usualMinutes[kind]) {
    const account = toPlayerKey(name)
    await moderation.keep(kind, account, minutes * 60_000)
    const isKicked = kind === 'kick' && minutes > 0
    if (isKicked) sendAway(name, { game, sockets })
    await askOthers?.({ order: 'ruled', ...(isKicked && { kicked: name }) })
    return { done: kind, player: name, minutes }
  }

  async function obey({ order, player, minutes, text }: z.output<typeof orderSchema>): Promise<object> {
    switch (order) {
      case 'metrics':
        return measure()
      case 'announce':
        if (text === undefined) throw missing('/text')
        sockets.announce(text)
        await askOthers?.({ order: 'announce', text })
        return { done: order, sockets: sockets.count() }
      case 'kick':
      case 'mute':
      case 'reserve':
        if (player === undefined) throw missing('/player')
        return rule(order, player, minutes)
    }
  }

  return [
    {
      path: '/api/operator',
      maxBodyBytes: 4096,
      handlers: {
        async POST(request) {
          if (!isBearer(request.headers.get('authorization'), secret)) throw new Problem('not-found')
          const body = await obey(await readJsonBody(orderSchema, request))
          return Response.json(body, { headers: { 'cache-control': 'no-store' } })
        },
      },
    },
  ]
}

const missing = (pointer: string): Problem =>
  new Problem('invalid-input', { errors: [{ pointer, detail: 'is missing' }] })
