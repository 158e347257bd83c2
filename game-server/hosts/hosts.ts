import { setTimeout as delay } from 'node:timers/promises'
import { type RawBuilder, sql } from 'kysely'
import { sha256 } from '../../src/core/sha256.ts'
import { isGone, makeOwner } from '../../src/storage/lease-owner.ts'
import type { RealmTable } from '../storage/game-schema.ts'
import type { GameDatabase } from '../storage/open-game-database.ts'
import { repeat } from './repeat.ts'

/** How long a host counts as alive after its last heartbeat. */
const leaseMs = 2000
const renewEveryMs = 500
/** How often and how many times to retry a claim that another host holds, for a few writes or for a purchase. */
const claimAgainMs = 50
const claimTries = 40
/** How many realms of dead hosts one query returns. */
const realmsPerLook = 20

/** How long to retry after a host died: the longest that another host may take to take over its realms. */
export const seekForMs = 4000
export const seekAgainMs = 100

/** The answer when the account or realm is at another host. */
export interface Elsewhere {
  readonly is: 'elsewhere'
  /** The base URL of that host, such as `http://10.0.0.5:4322`; empty while it does not listen yet. */
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
 * The game hosts of one database. Each renews its lease every half second. Each realm in memory has one host as its
 * owner, for as long as that host's lease runs; a fencing token tells successive owners apart.
 */
export async function openHosts({ db, report }: Options) {
  const id = makeOwner()
  let address = ''
  /** Since when this host has had a lease without interruption, by `performance.now()`. */
  let leasedSince = performance.now()
  let renewedAt = performance.now()

  async function renew(): Promise<void> {
    // The time of sending, not of the answer: a host that was suspended in between must not believe in a stale lease.
    const at = performance.now()
    const until = sql<number>`${databaseNow} + ${sql.lit(leaseMs)}`
    await db
      .insertInto('host')
      .values({ id, address, until })
      .onConflict((conflict) => conflict.column('id').doUpdateSet({ address, until }))
      .execute()
    // Answers may arrive out of order.
    if (at < renewedAt) return
    if (at - renewedAt > leaseMs) leasedSince = at
    renewedAt = at
  }

  /** Makes sure of a lease before this host takes ownership: without one, other hosts would take it away at once. */
  async function beLeased(): Promise<void> {
    if (performance.now() - renewedAt > 2 * renewEveryMs) await renew()
  }

  /**
   * Hosts whose lease ends after this time are alive. A host that was itself suspended or cut off from the database
   * takes none for dead until the others have had time to renew their leases.
   */
  const livesAfter = (): RawBuilder<number> =>
    performance.now() - leasedSince > leaseMs && performance.now() - renewedAt < leaseMs ? databaseNow : sql`0`

  const living = () => db.selectFrom('host').select('host.id').where('host.until', '>', livesAfter())

  /** Ends the leases of dead processes on this machine at once, and deletes dead hosts that own no realms any more. */
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
  // In a timer of its own, so that a slow query here does not delay the renewal of the lease.
  const burying = repeat(renewEveryMs, buryTheDead, report)

  const mark = toMark(id)

  return {
    id,

    /** A public name of this host that does not reveal its address. */
    mark,

    /** The address of the living host with this mark, unless it is this one. */
    async findByMark(wanted: string): Promise<string | undefined> {
      const all = await db.selectFrom('host').select(['id', 'address']).where('until', '>', databaseNow).execute()
      return all.find((host) => host.id !== id && toMark(host.id) === wanted)?.address
    },

    /** Publishes the address at which the other hosts reach this one. */
    async listensAt(given: string): Promise<void> {
      address = given
      await renew()
    },

    beLeased,

    /** Makes this host the owner of a realm, unless a living host is. Earlier owners cannot write to it any more. */
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

    /** Some of the realms under these rules that dead hosts had in memory. */
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
     * Runs `work` while this host holds the lock on an account, or on any other name: no other host begins a life for
     * the account meanwhile, and what `work` writes can depend on the claim.
     *
     * @returns undefined when other hosts held the lock during all retries
     */
    async claim<Result>(account: string, work: () => Promise<Result>): Promise<Result | undefined> {
      for (let tries = 0; !(await tryToClaim(account)); tries++) {
        if (tries === claimTries) return undefined
        await delay(claimAgainMs)
      }
      try {
        return await work()
      } finally {
        // A claim that cannot be deleted stays with this host while it lives, and can be taken over after that.
        await db.deleteFrom('claim').where('account', '=', account).where('host', '=', id).execute().catch(report)
      }
    },

    /** The address of the other living host at which an account has a life; undefined if there is none. */
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

    /** The addresses of the other living hosts. */
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

    /** Gives up the lease; call it once nothing is played here any more. */
    async close(): Promise<void> {
      await renewing.stop()
      await burying.stop()
      await db.deleteFrom('host').where('id', '=', id).execute().catch(report)
    },
  }
}

export type Hosts = Awaited<ReturnType<typeof openHosts>>
