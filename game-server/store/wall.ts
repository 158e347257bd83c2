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
  /** The text, within the marks of `quoteWords`. */
  text: string
}

interface WallDeps extends Pick<UnlockDeps, 'db' | 'accounts' | 'entitlements'> {
  /** How long a player is still muted by the operator, in milliseconds; 0 if not. */
  mutedMs: (key: string) => number
  /** Sends a new line to the people who play now. */
  tell: (shout: Shout) => void
  now: () => number
}

/**
 * `/api/wall`: lines on the entrance wall, one a day from players who own `wall_shout`. They are text by strangers:
 * people read it here, on pages and while they play; models are never sent it. Lines of muted players are hidden.
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
    // Further lines are read in place of those of muted players.
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
