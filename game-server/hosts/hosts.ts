import { setTimeout as delay } from 'node:timers/promises'
import { type RawBuilder, sql } from 'kysely'
import { sha256 } from '../../src/core/sha256.ts'
import { isGone, makeOwner } from '../../src/storage/lease-owner.ts'
import type { RealmTable } from '../storage/game-schema.ts'
import type { GameDatabase } from '../storage/open-game-database.ts'
import { repeat } from './repeat.ts'

/** Nobody is dead who was heard of within so long. */
const leaseMs = 2000
const renewEveryMs = 500
/** A claim is held for a few writes, or for a purchase; nobody waits longer than this for another's. */
const claimAgainMs = 50
const claimTries = 40
/** How many realms of the dead one look brings to life. */
const realmsPerLook = 20

/** A host that died is looked for as long as it may take until another has what it had. */
export const seekForMs = 4000
export const seekAgainMs = 100

/** What somebody asked for is at another host. */
export interface Elsewhere {
  readonly is: 'elsewhere'
  /** Such as `http://10.0.0.5:4322`; empty while that host does not listen yet. */
  readonly address: string
}

export const isElsewhere = (answer: { readonly is: string }): answer is Elsewhere => answer.is === 'elsewhere'

interface Options {
  readonly db: GameDatabase
  readonly report: (error: unknown) => void
}

const toMark = (id: string): string => sha256('game host', id).slice(0, 12)

const databaseNow: RawBuilder<number> = sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`

/**
 * The game hosts of one database. Each says every half second that it lives, and each realm has one that plays it: the
 * lease of a realm runs as long as its owner's, and a fence number tells its owners apart.
 */
export async function openHosts({ db, report }: Options) {
  const id = makeOwner()
  let address = ''
  /** Since when this host was never without a lease; a moment of the process's own clock. */
  let leasedSince = performance.now()
  let renewedAt = performance.now()

  async function renew(): Promise<void> {
    // When it was sent: the lease runs from before the answer, and who sleeps until that comes has none.
    const at = performance.now()
    const until = sql<number>`${databaseNow} + ${sql.lit(leaseMs)}`
    await db
      .insertInto('host')
      .values({ id, address, until })
      .onConflict((conflict) => conflict.column('id').doUpdateSet({ address, until }))
      .execute()
    // The reply to an earlier one may come after this one's.
    if (at < renewedAt) return
    if (at - renewedAt > leaseMs) leasedSince = at
    renewedAt = at
  }

  /** Before this host owns anything more: from one whose lease has run out, the others take it at once. */
  async function beLeased(): Promise<void> {
    if (performance.now() - renewedAt > 2 * renewEveryMs) await renew()
  }

  /**
   * Hosts whose lease ran after this time live. Who was away itself, or with whom the database was, takes nobody for
   * dead before the others had time to be heard of.
   */
  const livesAfter = (): RawBuilder<number> =>
    performance.now() - leasedSince > leaseMs && performance.now() - renewedAt < leaseMs ? databaseNow : sql`0`

  const living = () => db.selectFrom('host').select('host.id').where('host.until', '>', livesAfter())

  /** Those that ran on this machine are known to be dead as soon as they are. */
  async function buryTheDead(): Promise<void> {
    const hosts = await db.selectFrom('host').select('id').where('until', '>', 0).execute()
    const gone = hosts.map((host) => host.id).filter(isGone)
    if (gone.length > 0) await db.updateTable('host').set({ until: 0 }).where('id', 'in', gone).execute()
    await db
      .deleteFrom('host')
      .where('until', '<=', livesAfter())
      .where('id', '!=', id)
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('realm')
              .select('realm.id')
              .whereRef('realm.owner', '=', 'host.id')
              .where('closed_at', 'is', null)
              .where('frozen_at', 'is', null),
          ),
        ),
      )
      .execute()
  }

  async function tryToClaim(account: string): Promise<boolean> {
    const claimed = await db
      .insertInto('claim')
      .values({ account, host: id })
      .onConflict((conflict) =>
        conflict
          .column('account')
          .doUpdateSet({ host: id })
          .where((where) => where.or([where('claim.host', '=', id), where('claim.host', 'not in', living())])),
      )
      .returning('host')
      .executeTakeFirst()
    return claimed !== undefined
  }

  await renew()
  await buryTheDead()
  const renewing = repeat(renewEveryMs, renew, report)
  // By itself: whatever holds this up takes no lease away.
  const burying = repeat(renewEveryMs, buryTheDead, report)

  const mark = toMark(id)

  return {
    id,

    /** Names this host to those who should not read where it runs. */
    mark,

    /** Where the living host with this mark is, if that is another. */
    async findByMark(wanted: string): Promise<string | undefined> {
      const all = await db.selectFrom('host').select(['id', 'address']).where('until', '>', databaseNow).execute()
      return all.find((host) => host.id !== id && toMark(host.id) === wanted)?.address
    },

    /** Where the others reach this host, once it listens. */
    async listensAt(given: string): Promise<void> {
      address = given
      await renew()
    },

    beLeased,

    /** Makes this host the owner of a realm. From then on nobody before it can write anything of it. */
    async take(
      realm: string,
    ): Promise<{ readonly is: 'taken'; readonly fence: number } | Elsewhere | { readonly is: 'over' }> {
      await beLeased()
      const taken = await db
        .updateTable('realm')
        .set(({ eb }) => ({ owner: id, fence: eb('fence', '+', 1), frozen_at: null }))
        .where('id', '=', realm)
        .where('closed_at', 'is', null)
        .where((where) =>
          where.or([where('owner', 'is', null), where('owner', '=', id), where('owner', 'not in', living())]),
        )
        .returning('fence')
        .executeTakeFirst()
      if (taken) return { is: 'taken', fence: taken.fence }
      const owner = await db
        .selectFrom('realm')
        .leftJoin('host', 'host.id', 'realm.owner')
        .select('host.address')
        .where('realm.id', '=', realm)
        .where('realm.closed_at', 'is', null)
        .executeTakeFirst()
      return owner ? { is: 'elsewhere', address: owner.address ?? '' } : { is: 'over' }
    },

    /** Realms by these rules that were in the memory of a host that died, some of them. */
    abandoned: (rules: readonly number[]): Promise<RealmTable[]> =>
      db
        .selectFrom('realm')
        .selectAll()
        .where('closed_at', 'is', null)
        .where('frozen_at', 'is', null)
        .where('rules', 'in', rules)
        .where((where) => where.or([where('owner', 'is', null), where('owner', 'not in', living())]))
        .limit(realmsPerLook)
        .execute(),

    /**
     * Lets no other host begin a life for this account until `work` is done, which writes it under the claim; or do
     * anything else that is claimed by one name.
     *
     * @returns undefined when others have it all the time
     */
    async claim<Result>(account: string, work: () => Promise<Result>): Promise<Result | undefined> {
      for (let tries = 0; !(await tryToClaim(account)); tries++) {
        if (tries === claimTries) return undefined
        await delay(claimAgainMs)
      }
      try {
        return await work()
      } finally {
        // One that stays is this host's as long as it lives, and is taken over after that.
        await db.deleteFrom('claim').where('account', '=', account).where('host', '=', id).execute().catch(report)
      }
    },

    /** Where an account lives a life, if that is at another host. */
    async findPlace(account: string): Promise<string | undefined> {
      const place = await db
        .selectFrom('seat')
        .innerJoin('realm', 'realm.id', 'seat.realm')
        .innerJoin('host', 'host.id', 'realm.owner')
        .select('host.address')
        .where('seat.account', '=', account)
        .where('seat.is_over', '=', 0)
        .where('realm.closed_at', 'is', null)
        .where('host.id', '!=', id)
        .where('host.until', '>', databaseNow)
        .orderBy('seat.joined_at', 'desc')
        .executeTakeFirst()
      return place?.address
    },

    /** Where the others are that live. */
    async others(): Promise<string[]> {
      const hosts = await db
        .selectFrom('host')
        .select('address')
        .where('until', '>', databaseNow)
        .where('id', '!=', id)
        .where('address', '!=', '')
        .execute()
      return hosts.map((host) => host.address)
    },

    /** When nothing is played here any more. */
    async close(): Promise<void> {
      await renewing.stop()
      await burying.stop()
      await db.deleteFrom('host').where('id', '=', id).execute().catch(report)
    },
  }
}

export type Hosts = Awaited<ReturnType<typeof openHosts>>
