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

/** Where a life is to be lived. */
export interface Venue {
  readonly mode: Mode
  /** The day or the cup; null in open realms, which are shared. */
  readonly event: string | null
  /** Absent: a fresh secret. */
  readonly seed?: string
  /** The rules that a day's dungeon or a cup began under; absent: those of now. */
  readonly rules?: number
  /** Replaces the seed for this player's dice. */
  readonly dice?: string
}

interface Options {
  readonly db: GameDatabase
  readonly keeper: LogKeeper
  readonly now: () => number
  readonly inputLimits: { readonly perSecond: number; readonly burst: number }
  readonly log: Log
  /** Where there may be others with realms of their own. */
  readonly hosts?: Pick<Hosts, 'take' | 'abandoned'> | undefined
  /** Told of a realm that another host may have died over. */
  readonly onTaken?: (realm: Realm) => void
}

/** Every world that is being played, in memory while somebody is there and on disk when not. */
export function makeRealms({ db, keeper, now, inputLimits, log, hosts, onTaken }: Options) {
  const report = (error: unknown): void => log('server.error', { error: toLogText(error) })
  const awake = makeRealmRegister({ now, inputLimits })
  let resting: Promise<unknown> = Promise.resolve()
  const wake = makeWakeRealm({ db, awake, advance, untilAtRest: () => resting, now, log, hosts, onTaken })

  function openRealm({ mode, event, rules, seed = newSeed() }: Venue): Realm {
    const id = `r_${randomBytes(6).toString('base64url')}`
    return awake.add({ id, mode, event, seed, openedAt: now(), world: makeWorld(seed, rules) }, true)
  }

  /** Carries out a command and keeps it. */
  function advance(realm: Realm, command: Command, events: GameEvent[]): StepResult {
    const result = step(realm.world, command, events)
    // Whatever reached the world is in its log, refused or not: replaying must lead to the same count and hash.
    realm.commands++
    realm.unwritten.commands.push(command)
    keeper.remember(realm)
    return result
  }

  async function putToRest(realms: readonly Realm[]): Promise<void> {
    for (const realm of realms) awake.remove(realm)
    // Those that cannot be written stay in memory, where they are safe as long as the program runs.
    for (const realm of await keeper.keepWhole(realms, { isFrozen: true })) awake.putBack(realm)
  }

  /** Ends realms that nobody came back to; their logs tell all that anybody wants to know of them. */
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

  /** One of which something is owed stays: a second copy of it, which knows of no debt, might end. */
  const isIdle = (realm: Realm): boolean => {
    if (realm.owed.size > 0) return false
    for (const session of realm.sessions.values())
      if (!session.isOver && (session.isHere || now() - Math.max(session.lastAt, session.leftAt) < idleMs)) return false
    return true
  }

  return {
    advance,
    all: awake.all,
    /** Whether a world is in memory: one that rests is another when it is loaded again. */
    isAwake: (realm: Realm): boolean => awake.find(realm.id) === realm,

    /**
     * The life that an account has under way; of a mode, and of an event, where they are given. With a day, one of another
     * day only as long as it is in memory, or would be had the host not been restarted.
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
     * Begins a life; `isClaimed` where another host could begin one for the same account. What is to be told of it is
     * added to `events`.
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
     * Ends a realm in which nobody lives and of which nothing is owed. Until that is on disk it stays in memory: who
     * died in it would be alive on disk, and be brought to life in a second copy of it.
     */
    closeIfOver(realm: Realm): void {
      if (realm.owed.size > 0) return
      for (const session of realm.sessions.values()) if (!session.isOver) return
      realm.isClosed = true
      realm.unwritten.isClosed = true
      keeper.remember(realm)
    },

    /** Its end is on disk. */
    letGo: awake.remove,

    /** Whether an account has had a life of a day or a cup in a world that is in memory. */
    hasLived: awake.hasLived,

    /**
     * Takes in the realms that were in memory when the host last died. One that cannot be loaded keeps nobody out of the
     * others, and those of newer rules wait for the version that knows them. What was set aside is tried again: the log
     * may be whole by now, or the program better.
     */
    async recover(): Promise<void> {
      await db
        .updateTable('realm')
        .set({ closed_at: null, unreadable_at: null, frozen_at: null, owner: null })
        .where('unreadable_at', 'is not', null)
        .where('rules', 'in', knownRules)
        .execute()
      // What a dead host left is taken over from it, by whoever is there.
      if (hosts) return
      const rows = await db
        .selectFrom('realm')
        .selectAll()
        .where('closed_at', 'is', null)
        .where('frozen_at', 'is', null)
        .where('rules', 'in', knownRules)
        .execute()
      for (const row of rows) await wake(row).catch(report)
      // Should the host die again soon, it need not replay the same logs.
      await keeper.keepWhole([...awake.all()], { isFrozen: false })
    },

    /** Takes over from hosts that died, some realms at a time. */
    async takeOver(): Promise<void> {
      for (const row of (await hosts?.abandoned(knownRules)) ?? []) {
        await wake(row).catch(report)
        await setImmediate()
      }
    },

    /** Another host plays it by now. */
    lose: awake.remove,

    /** Puts to rest where nobody was for a while. */
    async rest(): Promise<void> {
      const idle = [...awake.all()].filter(isIdle)
      if (idle.length > 0) {
        resting = putToRest(idle)
        await resting
      }
      await giveUpForgotten()
    },

    /** Puts everything to rest; afterwards nothing may be played. */
    async restAll(): Promise<void> {
      resting = putToRest([...awake.all()])
      await resting
    },
  }
}

export type Realms = ReturnType<typeof makeRealms>
