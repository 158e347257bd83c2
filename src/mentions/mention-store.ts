import type { Selectable } from 'kysely'
import { sha256 } from '../core/sha256.ts'
import type { WebmentionTable } from '../storage/ledger-schema.ts'
import type { LedgerDatabase } from '../storage/open-ledger-database.ts'
import { alone, transact } from '../storage/transact.ts'

export type Mention = Selectable<WebmentionTable>

/** Of one host, and in all, that nobody has looked at or decided on; more are refused until somebody has. */
const mostOfHost = 20
const mostUndecided = 2000
/** What a program shows of all posts together. */
const mostShown = 10_000
const minute = 60_000
/** A page that does not answer is asked again so often. */
export const waits = [10 * minute, 60 * minute, 6 * 60 * minute, 24 * 60 * minute]
/** Nothing waits longer: what is due later than this was put there by a clock that was ahead. */
const longestWaitMs = Math.max(...waits)

/**
 * Mentions of our posts on other sites:
 *
 *     waiting ──► pending ──► approved
 *        │           └──────► refused      stays, so that the same page cannot ask again
 *        └─► (deleted)                     whenever the page is gone or does not link to us
 *
 * `next_at` is set while the page is to be fetched, for the first time or because it says that it changed. An approved
 * one is shown meanwhile.
 */
export function makeMentionStore(db: LedgerDatabase) {
  const one = (id: string) => db.selectFrom('webmention').selectAll().where('id', '=', id).executeTakeFirst()

  return {
    /**
     * Takes a notice that `source` speaks of the page at `target`.
     *
     * @param formers where the page was before: a notice of then is of the same page
     * @returns false when too many of its host, or of all, wait already
     */
    receive: (source: string, target: string, now: number, formers: readonly string[] = []): Promise<boolean> =>
      transact(db, async (tx) => {
        await alone(tx, 'webmention')
        const [id, ...others] = [sha256(source, target), ...formers.map((former) => sha256(source, former))]
        const known = await tx
          .selectFrom('webmention')
          .select('id')
          .where('id', 'in', [id, ...others])
          .execute()
        if (known.length > 0) {
          const ids = known.map((mention) => mention.id)
          const again = tx.updateTable('webmention').set({ next_at: now, attempts: 0 }).where('id', 'in', ids)
          await again.where('state', '!=', 'refused').execute()
          return true
        }
        const { host } = new URL(source)
        const undecided = tx
          .selectFrom('webmention')
          .select(({ fn }) => fn.countAll<number>().as('count'))
          .where('state', 'in', ['waiting', 'pending'])
        const all = await undecided.executeTakeFirstOrThrow()
        const ofHost = await undecided.where('host', '=', host).executeTakeFirstOrThrow()
        if (Number(all.count) >= mostUndecided || Number(ofHost.count) >= mostOfHost) return false
        const row = { id, source, target, host, state: 'waiting', attempts: 0, next_at: now, received_at: now } as const
        await tx.insertInto('webmention').values(row).execute()
        return true
      }),

    /** The next pages to fetch: new ones at once, whatever the clock said that noted them. */
    findDue: (now: number, most: number): Promise<Mention[]> =>
      db
        .selectFrom('webmention')
        .selectAll()
        .where('next_at', 'is not', null)
        .where(({ eb, or }) =>
          or([eb('next_at', '<=', now), eb('next_at', '>', now + longestWaitMs), eb('attempts', '=', 0)]),
        )
        .orderBy('next_at')
        .orderBy('id')
        .limit(most)
        .execute(),

    /** What was found at the page; nothing when meanwhile somebody decided on it, or it says that it changed once more. */
    async keep({ id, state, next_at }: Mention, set: Partial<Omit<Mention, 'id'>>): Promise<void> {
      const same = db.updateTable('webmention').set(set).where('id', '=', id).where('state', '=', state)
      await same.where('next_at', '=', next_at).execute()
    },
    async forget({ id, next_at }: Mention): Promise<void> {
      const same = db.deleteFrom('webmention').where('id', '=', id).where('next_at', '=', next_at)
      await same.where('state', '!=', 'refused').execute()
    },

    /** What the operator decides on, the newest first. */
    list: (states: readonly Mention['state'][]): Promise<Mention[]> =>
      db
        .selectFrom('webmention')
        .selectAll()
        .where('state', 'in', [...states])
        .orderBy('received_at', 'desc')
        .orderBy('id')
        .limit(mostUndecided)
        .execute(),

    /** @returns whether there is such a one, looked at before */
    async decide(id: string, state: 'approved' | 'refused'): Promise<boolean> {
      const mention = await one(id)
      if (!mention || mention.state === 'waiting') return false
      const set = { state, ...(state === 'refused' && { next_at: null }) }
      await db.updateTable('webmention').set(set).where('id', '=', id).execute()
      return true
    },

    /** What is shown, the oldest first. */
    findShown: () =>
      db
        .selectFrom('webmention')
        .select(['source', 'target', 'host', 'author'])
        .where('state', '=', 'approved')
        .orderBy('received_at')
        .orderBy('id')
        .limit(mostShown)
        .execute(),
  }
}

export type MentionStore = ReturnType<typeof makeMentionStore>
