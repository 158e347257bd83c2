import type { z } from 'zod'
import { Problem } from '../../src/core/problem.ts'
import { shareTurn } from '../../src/core/share-turn.ts'
import { toUtcDate } from '../../src/core/utc-date.ts'
import { readQuery } from '../../src/http/read-query.ts'
import { get, type Route } from '../../src/http/route.ts'
import { shortRoute } from '../../src/http/short-document.ts'
import { boardQuery, deathsQuery } from '../protocol/queries.ts'
import type { CupAccess } from '../sessions/cup-access.ts'
import { makeLives } from '../sessions/lives.ts'
import { readReplay } from '../sessions/read-replay.ts'
import type { GameDatabase } from '../storage/open-game-database.ts'
import type { Live } from './to-live.ts'

interface Options {
  readonly db: GameDatabase
  readonly cups: Pick<CupAccess, 'isRevealed'>
  readonly now: () => number
  /** Who plays now, at any host. */
  readonly findLive: () => Promise<Live>
  /** Called with errors while a response is streamed, too late for an error response, so that the stream is aborted. */
  readonly report: (error: unknown) => void
}

/** A JSON response, not to be cached unless `cacheControl` says so, because it changes from moment to moment. */
const answer = (body: unknown, cacheControl = 'no-store'): Response =>
  Response.json(body, { headers: { 'cache-control': cacheControl } })

/** @throws Problem that names each wrong parameter */
function readAsked<Schema extends z.ZodObject>(schema: Schema, request: Request): z.output<Schema> {
  const read = readQuery(schema, new URL(request.url).searchParams)
  if (read.is === 'valid') return read.value
  throw new Problem('invalid-input', { errors: read.errors })
}

/** A stream that takes the next piece only when the client has read the one before. */
function toStream(pieces: AsyncIterable<string>, report: Options['report']): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  const reading = pieces[Symbol.asyncIterator]()
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await reading.next()
        if (done === true) controller.close()
        else controller.enqueue(encoder.encode(value))
      } catch (error) {
        report(error)
        throw error
      }
    },
    async cancel() {
      await reading.return?.()
    },
  })
}

/** The public routes of the game: live players, deaths, leaderboards and replays. */
export function makeGameRoutes({ db, cups, now, findLive, report }: Options): Route[] {
  const lives = makeLives(db)

  const toBoard = (board: z.output<typeof boardQuery>['board']) => {
    const day = toUtcDate(now())
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
    get('/api/deaths', async (request) =>
      answer({ deaths: await lives.recent(readAsked(deathsQuery, request).limit) }),
    ),
    get('/api/leaderboard', async (request) => {
      const { board, limit: most } = readAsked(boardQuery, request)
      const filter = toBoard(board)
      const human = await lives.best({ ...filter, kind: 'human', limit: most })
      const agent = await lives.best({ ...filter, kind: 'agent', limit: most })
      return answer({ board, human, agent })
    }),
    shortRoute('/api/live', {
      contentType: 'application/json',
      cacheControl: 'no-store',
      hasTag: false,
      read: shareTurn(async () => JSON.stringify(await findLive())),
    }),
    get('/api/replays/:id', async ({ method }, id) => {
      const replay = await readReplay({ db, cups, now }, id)
      if (replay === 'unknown') throw new Problem('not-found', { detail: 'No finished life has this id' })
      if (replay === 'secret')
        throw new Problem('not-found', {
          detail:
            'Somebody is still playing with this seed, or can go on playing; the replay opens when the last of them has finished',
        })
      // For HEAD no log is read.
      return new Response(method === 'HEAD' ? null : toStream(replay.pieces, report), {
        headers: {
          'content-type': 'application/json',
          'cache-control': replay.isSettled ? 'public, max-age=86400' : 'no-store',
        },
      })
    }),
  ]
}
