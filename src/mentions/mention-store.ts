import type { Selectable } from 'kysely'
import { sha256 } from '../core/sha256.ts'
import type { WebmentionTable } from '../storage/ledger-schema.ts'
import type { LedgerDatabase } from '../storage/open-ledger-database.ts'
import { alone, transact } from '../storage/transact.ts'

export type Mention = Selectable<WebmentionTable>

/** How many mentions of one host, and in all, may wait to be fetched or decided on; more are refused meanwhile. */
const mostOfHost = 20
const mostUndecided = 2000
/** How many mentions of all posts together are shown. */
const mostShown = 10_000
const minute = 60_000
/** How long to wait after each fetch of a page without a response, in ms. */
export const waits = [10 * minute, 60 * minute, 6 * 60 * minute, 24 * 60 * minute]
/** No fetch waits longer: one that is due later than this was dated by a clock that was ahead. */
const longestWaitMs = Math.max(...waits)

/**
 * Mentions of our posts on other sites:
 *
 *     waiting ──► pending ──► approved
 *        │           └──────► refused      stays, so that the same page cannot ask again
 *        └─► (deleted)                     whenever the page is gone or does not link to us
 *
 * `next_at` is set while the page is to be fetched: for the first time, or because a notice says that it changed. An
 * approved mention stays shown meanwhile.
 */
export function makeMentionStore(db: LedgerDatabase) {
  const one = (id: string) => db.selectFrom('webmention').selectAll().where('id', '=', id).executeTakeFirst()

  return {
    /**
     * Records a notice that `source` mentions the page at `target`.
     *
     * @param formers former paths of the page: an earlier notice with one of them is about the same page
     * @returns false when too many mentions of its host, or in all, wait already
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

    /** The mentions whose pages are due to be fetched. New ones are always due, also if a wrong clock dated them. */
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

    /** Stores what was found at the page, unless the operator decided or another notice arrived meanwhile. */
    async keep({ id, state, next_at }: Mention, set: Partial<Omit<Mention, 'id'>>): Promise<void> {
      const same = db.updateTable('webmention').set(set).where('id', '=', id).where('state', '=', state)
      await same.where('next_at', '=', next_at).execute()
    },
    /** Deletes a mention, unless it was refused or another notice arrived meanwhile. */
    async forget({ id, next_at }: Mention): Promise<void> {
      const same = db.deleteFrom('webmention').where('id', '=', id).where('next_at', '=', next_at)
      await same.where('state', '!=', 'refused').execute()
    },

    /** Mentions in these states, the newest first, for the operator. */
    list: (states: readonly Mention['state'][]): Promise<Mention[]> =>
      db
        .selectFrom('webmention')
        .selectAll()
        .where('state', 'in', [...states])
        .orderBy('received_at', 'desc')
        .orderBy('id')
        .limit(mostUndecided)
        .execute(),

    /** Approves or refuses a mention. @returns whether it exists and its page was fetched before */
    async decide(id: string, state: 'approved' | 'refused'): Promise<boolean> {
      const mention = await one(id)
      if (!mention || mention.state === 'waiting') return false
      const set = { state, ...(state === 'refused' && { next_at: null }) }
      await db.updateTable('webmention').set(set).where('id', '=', id).execute()
      return true
    },

    /** The approved mentions, the oldest first. */
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
