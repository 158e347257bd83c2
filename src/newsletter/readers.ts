import { randomUUID } from 'node:crypto'
import type { ExpressionBuilder, Selectable } from 'kysely'
import { z } from 'zod'
import type { LedgerSchema, ReaderTable } from '../storage/ledger-schema.ts'
import type { LedgerDatabase } from '../storage/open-ledger-database.ts'
import { alone, transact } from '../storage/transact.ts'

export type Reader = Selectable<ReaderTable>

/** The token in links of e-mails: an id of the reader that cannot be guessed, and is only good for its own link. */
export const readerKey = z.uuid()

const minute = 60_000
const hour = 60 * minute
/** How long a subscriber may take to confirm; then the address is deleted. */
const confirmMs = 48 * hour
/** How many confirmation e-mails an unconfirmed address gets at most in that time, and how far apart (ms). */
const mostAsks = 3
const apartMs = 10 * minute
/** Unconfirmed addresses per hour over all clients, so that nobody can make this site send mail to the whole world. */
const mostInHour = 200
/** Attempts to send one confirmation, and the time between them (ms). */
const mostAttempts = 5
const againMs = 5 * minute

/**
 * The readers who get new posts by e-mail:
 *
 *     (nobody) ──► asked ──► confirmed
 *        ▲           │           │
 *        └───────────┴───────────┘   deleted: not confirmed in time, or unsubscribed
 */
export function makeReaders(db: LedgerDatabase) {
  const rows = () => db.selectFrom('reader').selectAll()
  /**
   * Confirmations that were never tried or are due again. One that is due much later was dated by a clock that was
   * ahead, and counts as due. One that is a little later is not: another process, whose clock is a little ahead, is
   * sending it.
   */
  const isDue = (now: number) => (eb: ExpressionBuilder<LedgerSchema, 'reader'>) =>
    eb.and([
      eb('mail_at', 'is not', null),
      eb.or([eb('mail_at', '<=', now), eb('mail_at', '>', now + 2 * againMs), eb('attempts', '=', 0)]),
    ])

  return {
    /**
     * Subscribes an address that is not confirmed yet. A confirmation e-mail becomes due, unless the address had enough
     * of them or is confirmed already.
     *
     * @returns false when too many addresses were subscribed in the last hour
     */
    ask: (email: string, now: number): Promise<boolean> =>
      transact(db, async (tx) => {
        await alone(tx, 'reader')
        const { count } = await tx
          .selectFrom('reader')
          .select(({ fn }) => fn.countAll<number>().as('count'))
          .where('state', '=', 'asked')
          .where('asked_at', '>', now - hour)
          .executeTakeFirstOrThrow()
        if (Number(count) >= mostInHour) return false
        const known = await tx.selectFrom('reader').selectAll().where('email', '=', email).executeTakeFirst()
        const due = { asked_at: now, mail_at: now, attempts: 0 }
        if (!known)
          await tx
            .insertInto('reader')
            .values({ email, id: randomUUID(), confirm_key: randomUUID(), state: 'asked', asks: 1, ...due })
            .execute()
        else if (known.state === 'asked' && known.asks < mostAsks && known.asked_at + apartMs <= now)
          await tx
            .updateTable('reader')
            .set({ asks: known.asks + 1, ...due })
            .where('email', '=', email)
            .execute()
        return true
      }),

    /**
     * Takes the next due confirmation for one attempt; of several processes, one gets it. It becomes due again later,
     * also after a crash, until `asked` records that the mail server accepted it.
     */
    async takeDue(now: number): Promise<Reader | undefined> {
      for (;;) {
        const reader = await rows().where(isDue(now)).orderBy('mail_at').limit(1).executeTakeFirst()
        if (!reader) return undefined
        const attempts = reader.attempts + 1
        const taken = await db
          .updateTable('reader')
          .set({ mail_at: attempts < mostAttempts ? now + againMs : null, attempts })
          .where('id', '=', reader.id)
          .where('mail_at', '=', reader.mail_at)
          .executeTakeFirst()
        if (taken.numUpdatedRows === 1n) return reader
      }
    },
    /** Records that the mail server accepted the confirmation, unless another one was requested meanwhile. */
    async asked({ id, asks }: Reader): Promise<void> {
      await db.updateTable('reader').set({ mail_at: null }).where('id', '=', id).where('asks', '=', asks).execute()
    },

    /** Confirms an address. @returns whether the key is known: sent lately, or confirmed before */
    async confirm(key: string, now: number): Promise<boolean> {
      await this.expire(now)
      const set = { state: 'confirmed', confirmed_at: now, mail_at: null } as const
      await db.updateTable('reader').set(set).where('confirm_key', '=', key).where('state', '=', 'asked').execute()
      return (await rows().where('confirm_key', '=', key).executeTakeFirst()) !== undefined
    },
    /** Deletes a reader and the letters that wait for them; does nothing when there is none. */
    leave: (id: string): Promise<void> =>
      transact(db, async (tx) => {
        await tx.deleteFrom('letter').where('reader', '=', id).execute()
        await tx.deleteFrom('reader').where('id', '=', id).execute()
      }),
    /** Deletes readers who did not confirm in time. For those dated in the future, by a wrong clock, it begins now. */
    async expire(now: number): Promise<void> {
      const asked = db.updateTable('reader').set({ asked_at: now }).where('state', '=', 'asked')
      await asked.where('asked_at', '>', now).execute()
      const old = db.deleteFrom('reader').where('state', '=', 'asked')
      await old.where('asked_at', '<=', now - confirmMs).execute()
    },

    /** Finds a reader by the address in lower case. */
    find: (email: string): Promise<Reader | undefined> => rows().where('email', '=', email).executeTakeFirst(),
    /** The confirmed readers, the first to confirm first. */
    list: (): Promise<Reader[]> =>
      rows().where('state', '=', 'confirmed').orderBy('confirmed_at').orderBy('email').execute(),
  }
}

export type Readers = ReturnType<typeof makeReaders>
