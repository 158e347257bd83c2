import { z } from 'zod'
import { Problem } from '../../../src/problem.ts'
import type { Game } from '../game.ts'
import type { Route } from '../http/route.ts'
import type { CupDoor } from '../play/cup-door.ts'
import { toDay } from '../play/daily.ts'
import { isShown } from '../play/is-shown.ts'
import { makeLives } from '../play/lives.ts'
import { readReplay } from '../play/read-replay.ts'
import type { Sockets } from '../sockets/serve-sockets.ts'
import type { GameDatabase } from '../storage/open-game-database.ts'

interface Options {
  readonly db: GameDatabase
  readonly game: Pick<Game, 'seats'>
  readonly sockets: Pick<Sockets, 'watchersOf'>
  readonly cups: Pick<CupDoor, 'isRevealed'>
  readonly now: () => number
}

const limit = z.coerce.number().int().min(1).max(100).default(20)
const deathsQuery = z.object({ limit })
const boardQuery = z.object({ board: z.enum(['all', 'month', 'daily']).default('all'), limit })
const maxLive = 100

/** Nothing here may be kept: a moment later it is another. */
const answer = (body: unknown, cacheControl = 'no-store'): Response =>
  Response.json(body, { headers: { 'cache-control': cacheControl } })

function readQuery<Query>(schema: z.ZodType<Query>, request: Request): Query {
  const read = schema.safeParse(Object.fromEntries(new URL(request.url).searchParams))
  if (read.success) return read.data
  throw new Problem('invalid-input', {
    errors: read.error.issues.map(({ path, message }) => ({ parameter: path.join('.'), detail: message })),
  })
}

/** What anybody may know of the game: who plays, who died of what, who got furthest, and how to check it. */
export function makeHostRoutes({ db, game, sockets, cups, now }: Options): Route[] {
  const lives = makeLives(db)

  const toBoard = (board: 'all' | 'month' | 'daily') => {
    const day = toDay(now())
    switch (board) {
      case 'all':
        return {}
      case 'month':
        return { since: Date.parse(`${day.slice(0, 7)}-01T00:00:00Z`) }
      case 'daily':
        return { event: day }
    }
  }

  return [
    {
      path: '/api/deaths',
      handlers: {
        async GET(request) {
          return answer({ deaths: await lives.recent(readQuery(deathsQuery, request).limit) })
        },
      },
    },
    {
      path: '/api/leaderboard',
      handlers: {
        async GET(request) {
          const { board, limit: most } = readQuery(boardQuery, request)
          const filter = toBoard(board)
          const human = await lives.best({ ...filter, kind: 'human', limit: most })
          const agent = await lives.best({ ...filter, kind: 'agent', limit: most })
          return answer({ board, human, agent })
        },
      },
    },
    {
      path: '/api/live',
      handlers: {
        GET() {
          const playing = [...game.seats()].filter((seat) => seat.isHere && !seat.isOver)
          const shown = playing.filter(isShown).sort((one, other) => other.lastAt - one.lastAt)
          const players = shown.slice(0, maxLive).map((seat) => ({
            name: seat.owner.name,
            kind: seat.owner.kind,
            badges: seat.badges,
            mode: seat.realm.mode,
            depth: seat.realm.world.players.get(seat.player)?.depth ?? 1,
            deepest: seat.deepest,
            watchers: sockets.watchersOf(seat),
          }))
          return answer({ playing: playing.length, players })
        },
      },
    },
    {
      path: '/api/replays/:id',
      handlers: {
        async GET(_request, id) {
          const replay = await readReplay({ db, cups, now }, id)
          if (replay === 'unknown') throw new Problem('not-found', { detail: 'No life with this id is over' })
          if (replay === 'secret')
            throw new Problem('not-found', {
              detail: 'Somebody still plays with this seed; the replay opens when the last of them is done',
            })
          return answer(replay, 'public, max-age=86400')
        },
      },
    },
  ]
}
