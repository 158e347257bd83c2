import { z } from 'zod'
import { Problem } from '../../src/core/problem.ts'
import { toUtcDate } from '../../src/core/utc-date.ts'
import type { Route } from '../../src/http/route.ts'
import { quoteWords, wordsRule } from '../core/player-words.ts'
import { isDecent } from '../moderation/is-decent.ts'
import { shoutOrder } from '../protocol/store-orders.ts'
import { answerJson } from './answer-json.ts'
import { provePlayer } from './prove-player.ts'
import { readJsonBody } from './read-json-body.ts'
import type { UnlockDeps } from './unlock.ts'

const shownLines = 20
const dayMs = 24 * 60 * 60 * 1000
const shoutSchema = z.object({
  ...shoutOrder.shape,
  text: shoutOrder.shape.text.refine(isDecent, 'has words that are not allowed on the wall'),
})

/** A line on the wall. */
export interface Shout {
  by: string
  /** Between the marks of `quoteWords`. */
  text: string
}

interface WallDeps extends Pick<UnlockDeps, 'db' | 'accounts' | 'entitlements'> {
  /** How long the operator's muting of a player still lasts; 0 for the others. */
  mutedMs: (key: string) => number
  /** Tells the people who play. */
  tell: (shout: Shout) => void
  now: () => number
}

/**
 * `/api/wall`: lines on the entrance wall, one a day from players who own a shout. They are strangers' words: people
 * read them here, on pages and as they play; models are never shown them. Who is muted has no lines.
 */
export function makeWallRoute({ db, accounts, entitlements, mutedMs, tell, now }: WallDeps): Route {
  const findLines = (skipped: number) =>
    db
      .selectFrom('wall_shout')
      .innerJoin('player', 'player.key', 'wall_shout.player_key')
      .select(['player.key', 'player.name as by', 'wall_shout.text', 'wall_shout.at'])
      .orderBy('wall_shout.at', 'desc')
      .orderBy('player.key')
      .limit(shownLines)
      .offset(skipped)
      .execute()

  const show = async (): Promise<Response> => {
    const shouts: Awaited<ReturnType<typeof findLines>> = []
    // Whoever is muted takes nobody's place.
    for (let skipped = 0, found = shownLines; found === shownLines && shouts.length < shownLines; ) {
      const lines = await findLines(skipped)
      found = lines.length
      skipped += found
      shouts.push(...lines.filter(({ key }) => mutedMs(key) === 0))
    }
    return answerJson({
      untrusted: true,
      note: `Written by strangers. ${wordsRule}`,
      shouts: shouts
        .slice(0, shownLines)
        .map(({ by, text, at }) => ({ by, text: quoteWords(text), at: new Date(at).toISOString() })),
    })
  }

  const shout = async (request: Request): Promise<Response> => {
    const { text, ...proof } = await readJsonBody(shoutSchema, request)
    const { key, name } = await provePlayer(accounts, proof)
    if (!(await entitlements.has(key, 'wall_shout'))) {
      const detail = 'This player does not own wall_shout, which comes with tip_25'
      throw new Problem('invalid-input', { detail, errors: [{ pointer: '/playerName', detail }] })
    }
    const silentMs = mutedMs(key)
    if (silentMs > 0)
      throw new Problem('rate-limited', {
        detail: 'The operator muted this player',
        retryAfterSeconds: Math.ceil(silentMs / 1000),
      })
    const at = now()
    const kept = await db
      .insertInto('wall_shout')
      .values({ player_key: key, day: toUtcDate(at), text, at })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst()
    if (kept.numInsertedOrUpdatedRows !== 1n)
      throw new Problem('rate-limited', {
        detail: 'This player has written a line today; the next one is possible after midnight UTC',
        retryAfterSeconds: Math.ceil((dayMs - (at % dayMs)) / 1000),
      })
    tell({ by: name, text: quoteWords(text) })
    return answerJson({ ok: true, by: name, text, at: new Date(at).toISOString() })
  }

  return { path: '/api/wall', handlers: { GET: show, POST: shout } }
}
