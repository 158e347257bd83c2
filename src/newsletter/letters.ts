import { type ExpressionBuilder, sql } from 'kysely'
import type { LedgerSchema } from '../storage/ledger-schema.ts'
import type { LedgerDatabase } from '../storage/open-ledger-database.ts'
import { alone, transact } from '../storage/transact.ts'

/** What a letter says about a post. */
export interface NewPost {
  readonly slug: string
  readonly title: string
  readonly excerpt: string
  readonly url: string
  readonly publishedAt: Date
  /** Its former slugs, under which readers may have got a letter about it already. */
  readonly formers?: readonly string[]
}

/** The slugs of a post: the current one, then the former ones. */
export const namesOf = ({ slug, formers = [] }: Pick<NewPost, 'slug' | 'formers'>): string[] => [slug, ...formers]

/** A letter that was taken for one attempt to send it. */
export interface Letter {
  readonly post: string
  readonly reader: string
  readonly email: string
  readonly attempts: number
}

const minute = 60_000
/** A post that is older when it is first seen was imported from elsewhere, and is no news. */
const newsMs = 7 * 24 * 60 * minute
/** How long to wait after each attempt that the mail server refused, in ms. */
const waits = [10 * minute, 60 * minute, 6 * 60 * minute, 24 * 60 * minute]
/** No letter waits longer: one that is due later than this was dated by a clock that was ahead. */
const longestWaitMs = Math.max(...waits)
/** Slug of the row that records that the newsletter has begun. */
const beginning = ''

/**
 * One letter for each new post and reader:
 *
 *     waiting ──► sending ──► (deleted)   handed in, or it may have been
 *        ▲           │
 *        └───────────┘                    the server said that it did not take it
 *
 * A letter that a crashed program left in `sending` may have been sent, and is not sent again: no reader gets a letter
 * twice, and a crash may cost one reader one letter.
 */
export function makeLetters(db: LedgerDatabase) {
  /** Letters that are due; those that were never tried are always due. */
  const isDue = (now: number) => (eb: ExpressionBuilder<LedgerSchema, 'letter'>) =>
    eb.or([
      eb('letter.next_at', '<=', now),
      eb('letter.next_at', '>', now + longestWaitMs),
      eb('letter.attempts', '=', 0),
    ])

  return {
    /** Queues a letter to each reader about each post that was never seen before, under any of its slugs. */
    note: (posts: readonly NewPost[], now: number): Promise<void> =>
      transact(db, async (tx) => {
        await alone(tx, 'letters')
        const known = new Set((await tx.selectFrom('letter_post').select('slug').execute()).map(({ slug }) => slug))
        const isFirst = !known.has(beginning)
        const unseen = posts.filter(({ slug }) => !known.has(slug))
        const seen = [...(isFirst ? [beginning] : []), ...unseen.map(({ slug }) => slug)]
        for (const slug of seen) await tx.insertInto('letter_post').values({ slug, seen_at: now }).execute()
        const fresh = unseen.filter((post) => !namesOf(post).some((name) => known.has(name)))
        const news = isFirst ? [] : fresh.filter(({ publishedAt }) => publishedAt.getTime() > now - newsMs)
        for (const { slug } of news)
          await tx
            .insertInto('letter')
            .columns(['post', 'reader', 'state', 'attempts', 'next_at'])
            .expression(
              tx
                .selectFrom('reader')
                .select([
                  sql.val(slug).as('post'),
                  'id',
                  sql.lit('waiting').as('state'),
                  sql.lit(0).as('attempts'),
                  sql<number>`cast(${now} as bigint)`.as('next_at'),
                ])
                .where('state', '=', 'confirmed'),
            )
            .execute()
      }),

    /** Deletes the letters that a crashed program was sending. @returns how many there were */
    async giveUpUnknown(): Promise<number> {
      const gone = await db.deleteFrom('letter').where('state', '=', 'sending').executeTakeFirst()
      return Number(gone.numDeletedRows)
    },

    /** Deletes letters that waited too long to be news: their post was withdrawn, or there was no mail server. */
    async dropOld(now: number): Promise<void> {
      await db
        .deleteFrom('letter')
        .where('next_at', '<', now - newsMs)
        .execute()
    },

    /** Slugs of the posts that letters are due about. */
    async findPosts(now: number): Promise<string[]> {
      const due = db.selectFrom('letter').select('post').distinct().where('state', '=', 'waiting')
      return (await due.where(isDue(now)).execute()).map(({ post }) => post)
    },

    /**
     * Takes the next due letter about one of these posts for one attempt, as `sending`; undefined when there is none.
     */
    async take(now: number, posts: readonly string[]): Promise<Letter | undefined> {
      while (posts.length > 0) {
        const letter = await db
          .selectFrom('letter')
          .innerJoin('reader', 'reader.id', 'letter.reader')
          .select(['letter.post', 'letter.reader', 'letter.attempts', 'reader.email'])
          .where('letter.state', '=', 'waiting')
          .where((eb) => isDue(now)(eb))
          .where('letter.post', 'in', posts)
          .orderBy('letter.next_at')
          .orderBy('letter.post')
          .orderBy('letter.reader')
          .limit(1)
          .executeTakeFirst()
        if (!letter) return undefined
        const taken = await db
          .updateTable('letter')
          .set({ state: 'sending' })
          .where('post', '=', letter.post)
          .where('reader', '=', letter.reader)
          .where('state', '=', 'waiting')
          .executeTakeFirst()
        if (taken.numUpdatedRows === 1n) return letter
      }
      return undefined
    },

    /** Deletes a letter that was sent, or may have been. */
    async done(letter: Letter): Promise<void> {
      const gone = db.deleteFrom('letter').where('post', '=', letter.post)
      await gone.where('reader', '=', letter.reader).execute()
    },

    /** Schedules another attempt for a letter that the server refused, or deletes it after the last one. */
    async refused(letter: Letter, now: number): Promise<void> {
      const wait = waits[letter.attempts]
      if (wait === undefined) {
        await this.done(letter)
        return
      }
      const set = { state: 'waiting', attempts: letter.attempts + 1, next_at: now + wait } as const
      const mine = db.updateTable('letter').set(set).where('post', '=', letter.post)
      await mine.where('reader', '=', letter.reader).execute()
    },
  }
}

export type Letters = ReturnType<typeof makeLetters>
