import { randomBytes } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { type Log, toLogText } from '../../src/core/log.ts'
import { type Command, type GameEvent, type StepResult, step } from '../core/step.ts'
import { knownRules, makeWorld } from '../core/world.ts'
import type { Elsewhere, Hosts } from '../hosts/hosts.ts'
import type { Mode } from '../protocol/dungeon.ts'
import type { GameDatabase } from '../storage/open-game-database.ts'
import type { LogKeeper } from './log-keeper.ts'
import { newSeed } from './new-seed.ts'
import type { Realm, Session, SessionOwner } from './realm.ts'
import { makeRealmRegister } from './realm-register.ts'
import { makeWakeRealm } from './wake-realm.ts'

const idleMs = 10 * 60_000
const forgottenMs = 30 * 24 * 3_600_000

/** The kind of realm in which a life is to begin. */
export interface Venue {
  readonly mode: Mode
  /** The UTC day of a daily dungeon or the id of a cup; null for open realms, which are shared. */
  readonly event: string | null
  /** A new secret seed when absent. */
  readonly seed?: string
  /** The rules version that a daily dungeon or a cup began under; the current one when absent. */
  readonly rules?: number
  /** Seeds this player's dice instead of `seed`. */
  readonly dice?: string
}

interface Options {
  readonly db: GameDatabase
  readonly keeper: LogKeeper
  readonly now: () => number
  readonly inputLimits: { readonly perSecond: number; readonly burst: number }
  readonly log: Log
  /** Set where several hosts share the database. */
  readonly hosts?: Pick<Hosts, 'take' | 'abandoned'> | undefined
  /** Called with a realm that was loaded, and that another host may have had in memory when it died. */
  readonly onTaken?: (realm: Realm) => void
}

/** All realms that are being played: in memory while somebody is in them, otherwise on disk only. */
export function makeRealms({ db, keeper, now, inputLimits, log, hosts, onTaken }: Options) {
  const report = (error: unknown): void => log('server.error', { error: toLogText(error) })
  const awake = makeRealmRegister({ now, inputLimits })
  let resting: Promise<unknown> = Promise.resolve()
  const wake = makeWakeRealm({ db, awake, advance, untilAtRest: () => resting, now, log, hosts, onTaken })

  function openRealm({ mode, event, rules, seed = newSeed() }: Venue): Realm {
    const id = `r_${randomBytes(6).toString('base64url')}`
    return awake.add({ id, mode, event, seed, openedAt: now(), world: makeWorld(seed, rules) }, true)
  }

  /** Applies a command to a realm's world and logs it. */
  function advance(realm: Realm, command: Command, events: GameEvent[]): StepResult {
    const result = step(realm.world, command, events)
    // A refused command is logged, too: a replay must lead to the same count and hash.
    realm.commands++
    realm.unwritten.commands.push(command)
    keeper.remember(realm)
    return result
  }

  async function putToRest(realms: readonly Realm[]): Promise<void> {
    for (const realm of realms) awake.remove(realm)
    // Realms that cannot be written stay in memory, so that nothing is lost while the program runs.
    for (const realm of await keeper.keepWhole(realms, { isFrozen: true })) awake.putBack(realm)
  }

  /** Closes realms that nobody has returned to for 30 days; their logs stay, their snapshots are deleted. */
  async function giveUpForgotten(): Promise<void> {
    const gone = await db
      .updateTable('realm')
      .set({ closed_at: now() })
      .where('closed_at', 'is', null)
      .where('frozen_at', '<', now() - forgottenMs)
      .returning('id')
      .execute()
    for (const { id } of gone) await db.deleteFrom('snapshot').where('realm', '=', id).execute()
  }

  /** A realm that is owed rewards is not idle: a copy loaded from disk would not know of them and might be closed. */
  const isIdle = (realm: Realm): boolean => {
    if (realm.owed.size > 0) return false
    for (const session of realm.sessions.values())
      if (!session.isOver && (session.isHere || now() - Math.max(session.lastAt, session.leftAt) < idleMs)) return false
    return true
  }

  return {
    advance,
    all: awake.all,
    /** Whether this very object is in memory; a realm that is loaded again is another object. */
    isAwake: (realm: Realm): boolean => awake.find(realm.id) === realm,

    /**
     * The life that an account has under way, limited to a mode and to an event where these are given. With `day`, a
     * life in another day's dungeon counts only if it is in memory or was played in the last ten minutes, so that it
     * would be in memory if the host had not been restarted.
     */
    async findLife(
      account: string,
      mode?: Mode,
      { event, day }: { readonly event?: string | undefined; readonly day?: string | undefined } = {},
    ): Promise<Session | Elsewhere | undefined> {
      const here = awake.findLife(account, mode, event)
      if (here) return here
      const row = await db
        .selectFrom('seat')
        .innerJoin('realm', 'realm.id', 'seat.realm')
        .selectAll('realm')
        .select('seat.player')
        .where('seat.account', '=', account)
        .where('seat.is_over', '=', 0)
        .where('realm.closed_at', 'is', null)
        .where('realm.rules', 'in', knownRules)
        .$if(mode !== undefined, (query) => query.where('realm.mode', '=', mode ?? 'open'))
        .$if(event !== undefined, (query) => query.where('realm.event', '=', event ?? ''))
        .$if(day !== undefined, (query) =>
          query.where((where) =>
            where.or([
              where('realm.event', '=', day ?? ''),
              where('realm.frozen_at', 'is', null),
              where('realm.frozen_at', '>', now() - idleMs),
            ]),
          ),
        )
        .orderBy('seat.joined_at', 'desc')
        .executeTakeFirst()
      if (!row) return undefined
      const realm = await wake(row)
      if (!realm || 'is' in realm) return realm
      const session = realm.sessions.get(row.player)
      return session?.isOver ? undefined : session
    },

    /**
     * Begins a life; `isClaimed` when another host could begin one for the same account at this moment. What happens at
     * its beginning is added to `events`.
     */
    begin(owner: SessionOwner, venue: Venue, isClaimed = false, events: GameEvent[] = []): Session {
      const realm = (venue.mode === 'open' ? awake.findOpen(owner.key) : undefined) ?? openRealm(venue)
      const { name, kind, key } = owner
      const { dice } = venue
      const joined = advance(realm, { is: 'join', name, kind, ...(dice !== undefined && { dice }) }, events)
      if (!joined.ok) throw new Error(`a new player was refused: ${joined.error}`)
      const session = awake.addSession(realm, joined.player, owner)
      if (isClaimed) realm.unwritten.claimed.push(key)
      realm.unwritten.sessions.push({
        realm: realm.id,
        player: joined.player,
        account: key,
        name,
        kind,
        joined_at: now(),
        is_over: 0,
        paid_depth: 1,
        credits: 0,
        told_at: null,
      })
      return session
    },

    /**
     * Closes a realm in which everybody is dead and every reward is paid. It stays in memory until that is on disk:
     * otherwise a second copy could be loaded, in which the dead are still alive.
     */
    closeIfOver(realm: Realm): void {
      if (realm.owed.size > 0) return
      for (const session of realm.sessions.values()) if (!session.isOver) return
      realm.isClosed = true
      realm.unwritten.isClosed = true
      keeper.remember(realm)
    },

    /** Removes a closed realm from memory; call it once its end is on disk. */
    letGo: awake.remove,

    /** Whether an account has or had a life in this daily dungeon or cup, among the realms in memory. */
    hasLived: awake.hasLived,

    /**
     * Loads the realms that were in memory when the host last died. One that cannot be loaded does not keep the others
     * from loading, and realms of newer rules wait for a version that knows them. Realms that were set aside as
     * unreadable are tried again: the log may have been repaired, or the program corrected.
     */
    async recover(): Promise<void> {
      await db
        .updateTable('realm')
        .set({ closed_at: null, unreadable_at: null, frozen_at: null, owner: null })
        .where('unreadable_at', 'is not', null)
        .where('rules', 'in', knownRules)
        .execute()
      // Where hosts share a database, `takeOver` loads what a dead host left.
      if (hosts) return
      const rows = await db
        .selectFrom('realm')
        .selectAll()
        .where('closed_at', 'is', null)
        .where('frozen_at', 'is', null)
        .where('rules', 'in', knownRules)
        .execute()
      for (const row of rows) await wake(row).catch(report)
      // Snapshots now, so that a host that dies again soon need not replay the same logs.
      await keeper.keepWhole([...awake.all()], { isFrozen: false })
    },

    /** Loads some of the realms that dead hosts had in memory. */
    async takeOver(): Promise<void> {
      for (const row of (await hosts?.abandoned(knownRules)) ?? []) {
        await wake(row).catch(report)
        await setImmediate()
      }
    },

    /** Removes from memory a realm that another host has taken over. */
    lose: awake.remove,

    /** Writes realms that nobody has played for ten minutes to disk and removes them from memory. */
    async rest(): Promise<void> {
      const idle = [...awake.all()].filter(isIdle)
      if (idle.length > 0) {
        resting = putToRest(idle)
        await resting
      }
      await giveUpForgotten()
    },

    /** Writes all realms to disk and removes them from memory; afterwards nothing may be played. */
    async restAll(): Promise<void> {
      resting = putToRest([...awake.all()])
      await resting
    },
  }
}

export type Realms = ReturnType<typeof makeRealms>
