import { randomUUID } from 'node:crypto'
import type { ExpressionBuilder, Selectable } from 'kysely'
import { z } from 'zod'
import type { LedgerSchema, ReaderTable } from '../storage/ledger-schema.ts'
import type { LedgerDatabase } from '../storage/open-ledger-database.ts'
import { alone, transact } from '../storage/transact.ts'

export type Reader = Selectable<ReaderTable>

/** What links in e-mails carry: a name of the reader that nobody guesses. It opens nothing but what its link says. */
export const readerKey = z.uuid()

const minute = 60_000
const hour = 60 * minute
/** How long somebody may take to confirm; then the address is erased. */
const confirmMs = 48 * hour
/** To an address that does not confirm go so many e-mails in that time, so far apart. */
const mostAsks = 3
const apartMs = 10 * minute
/** Of all addresses together in an hour: nobody makes this site write to the whole world. */
const mostInHour = 200
/** Attempts to hand in one confirmation, so far apart. */
const mostAttempts = 5
const againMs = 5 * minute

/**
 * Who gets new posts by e-mail:
 *
 *     (nobody) ──► asked ──► confirmed
 *        ▲           │           │
 *        └───────────┴───────────┘   erased: not confirmed in time, or left
 */
export function makeReaders(db: LedgerDatabase) {
  const rows = () => db.selectFrom('reader').selectAll()
  /**
   * Never tried yet, or due again; what waits for much longer than that was put there by a clock that was ahead. A
   * little ahead is the clock of another site, which is sending it.
   */
  const isDue = (now: number) => (eb: ExpressionBuilder<LedgerSchema, 'reader'>) =>
    eb.and([
      eb('mail_at', 'is not', null),
      eb.or([eb('mail_at', '<=', now), eb('mail_at', '>', now + 2 * againMs), eb('attempts', '=', 0)]),
    ])

  return {
    /**
     * Somebody wants letters at an address, which nobody has confirmed to be theirs. A confirmation is due then, unless
     * there were enough of them or it is confirmed already.
     *
     * @returns false when too many asked in the last hour, whoever they are
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
     * Takes the next confirmation that is due, for one attempt; whoever is quicker has it. It is due again later, also
     * when the program ends in the middle, until `asked` says that the server took it.
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
    async asked({ id, asks }: Reader): Promise<void> {
      await db.updateTable('reader').set({ mail_at: null }).where('id', '=', id).where('asks', '=', asks).execute()
    },

    /** @returns whether the key is one that was sent lately, or has confirmed before */
    async confirm(key: string, now: number): Promise<boolean> {
      await this.expire(now)
      const set = { state: 'confirmed', confirmed_at: now, mail_at: null } as const
      await db.updateTable('reader').set(set).where('confirm_key', '=', key).where('state', '=', 'asked').execute()
      return (await rows().where('confirm_key', '=', key).executeTakeFirst()) !== undefined
    },
    /** Erases a reader, with what waits for them; nothing when there is none. */
    leave: (id: string): Promise<void> =>
      transact(db, async (tx) => {
        await tx.deleteFrom('letter').where('reader', '=', id).execute()
        await tx.deleteFrom('reader').where('id', '=', id).execute()
      }),
    /** Erases whoever did not confirm in time, which is counted from now for whoever asked by a clock that was ahead. */
    async expire(now: number): Promise<void> {
      const asked = db.updateTable('reader').set({ asked_at: now }).where('state', '=', 'asked')
      await asked.where('asked_at', '>', now).execute()
      const old = db.deleteFrom('reader').where('state', '=', 'asked')
      await old.where('asked_at', '<=', now - confirmMs).execute()
    },

    /** By an address in lower case. */
    find: (email: string): Promise<Reader | undefined> => rows().where('email', '=', email).executeTakeFirst(),
    /** Who confirmed, the first first. */
    list: (): Promise<Reader[]> =>
      rows().where('state', '=', 'confirmed').orderBy('confirmed_at').orderBy('email').execute(),
  }
}

export type Readers = ReturnType<typeof makeReaders>
