import { type Log, toLogText } from '../../src/core/log.ts'
import { summarizeLife } from '../core/life.ts'
import type { Command, GameEvent, StepResult } from '../core/step.ts'
import type { Elsewhere, Hosts } from '../hosts/hosts.ts'
import type { RealmTable, SeatTable } from '../storage/game-schema.ts'
import type { GameDatabase } from '../storage/open-game-database.ts'
import { loadRealmWorld, readCommands, UnreadableLog } from './load-realm.ts'
import type { Realm } from './realm.ts'
import type { RealmRegister } from './realm-register.ts'

interface Options {
  readonly db: GameDatabase
  readonly awake: RealmRegister
  /** Applies a command to a realm's world and logs it. */
  readonly advance: (realm: Realm, command: Command, events: GameEvent[]) => StepResult
  /** Resolves when no realm is being written for its removal from memory. */
  readonly untilAtRest: () => Promise<unknown>
  readonly now: () => number
  readonly log: Log
  /** Set where several hosts share the database. */
  readonly hosts?: Pick<Hosts, 'take'> | undefined
  /** Called with a realm that another host may have had in memory when it died. */
  readonly onTaken?: ((realm: Realm) => void) | undefined
}

/**
 * Loads realms into memory, each once however many callers ask for it. A realm whose log cannot be read is set aside:
 * it counts as closed, and all its rows stay in the database for the operator.
 */
export function makeWakeRealm({ db, awake, advance, untilAtRest, now, log, hosts, onTaken }: Options) {
  const loading = new Map<string, Promise<Realm | Elsewhere | undefined>>()
  const report = (error: unknown): void => log('server.error', { error: toLogText(error) })

  /** @throws UnreadableLog */
  async function read(row: RealmTable) {
    const loaded = await loadRealmWorld(db, row, report)
    const seats = await db.selectFrom('seat').selectAll().where('realm', '=', row.id).execute()
    for (const { player, name } of seats)
      if (!loaded.world.players.has(player))
        throw new UnreadableLog(`the log of realm ${row.id} ends before ${name} came`)
    const keys = row.mode === 'cup' ? await countKeys(db, row.id) : undefined
    return { ...loaded, seats, keys }
  }

  /** Marks a realm as unreadable, unless another host has become its owner, which `fence` shows. */
  async function setAside({ id, mode, event }: RealmTable, fence: number, error: UnreadableLog): Promise<void> {
    const { numUpdatedRows } = await db
      .updateTable('realm')
      .set({ closed_at: now(), unreadable_at: now(), owner: null })
      .where('id', '=', id)
      .where('fence', '=', fence)
      .where('closed_at', 'is', null)
      .executeTakeFirst()
    if (numUpdatedRows !== 1n) return
    const seats = await db.selectFrom('seat').select('name').where('realm', '=', id).where('is_over', '=', 0).execute()
    const players = seats.map(({ name }) => name)
    log('realm.unreadable', { realm: id, mode, event, players, error: toLogText(error) })
  }

  /** Marks a realm as being in memory; false when it was closed since its row was read, as one that was given up. */
  async function markAwake(id: string): Promise<boolean> {
    const woken = db.updateTable('realm').set({ frozen_at: null }).where('id', '=', id).where('closed_at', 'is', null)
    return (await woken.executeTakeFirst()).numUpdatedRows === 1n
  }

  /** Undefined when the realm is closed or was set aside. */
  async function load(row: RealmTable): Promise<Realm | Elsewhere | undefined> {
    await untilAtRest()
    // A realm that could not be written is still in memory.
    const here = awake.find(row.id)
    if (here) return here
    // Ownership comes before reading: from here on no other host appends to the log.
    const taken = await hosts?.take(row.id)
    if (taken?.is === 'elsewhere') return taken
    if (taken?.is === 'over') return undefined
    const fence = taken?.fence ?? row.fence
    try {
      const loaded = await read(row)
      if (!taken && !(await markAwake(row.id))) return undefined
      // These lives go on. Should their log become unreadable again, their players are told again.
      if (loaded.seats.some(({ told_at }) => told_at !== null))
        await db.updateTable('seat').set({ told_at: null }).where('realm', '=', row.id).execute()
      const realm = takeIn(row, fence, loaded)
      if (taken) onTaken?.(realm)
      return realm
    } catch (error) {
      if (!(error instanceof UnreadableLog)) throw error
      await setAside(row, fence, error)
      return undefined
    }
  }

  /** Adds a loaded realm without awaiting anything, so that others only ever find it complete. */
  function takeIn(row: RealmTable, fence: number, loaded: Awaited<ReturnType<typeof read>>): Realm {
    const { id, mode, event, seed, opened_at: openedAt } = row
    const { world, commands, snapshotCommands, seats, keys } = loaded
    const realm = awake.add({ id, mode, event, seed, openedAt, world }, false)
    realm.fence = fence
    realm.commands = commands
    realm.written = commands
    realm.snapshotCommands = snapshotCommands
    for (const seat of seats) sitDown(realm, seat, keys?.get(seat.player) ?? 0)
    return realm
  }

  function sitDown(realm: Realm, seat: SeatTable, keys: number): void {
    const { player, account, name, kind, is_over, paid_depth, credits } = seat
    const session = awake.addSession(realm, player, { key: account, name, kind })
    const life = summarizeLife(realm.world, player)
    session.deepest = life.depth
    session.isOver = life.isOver || is_over === 1
    session.paidDepth = paid_depth
    session.credits = credits
    session.isHere = false
    session.keys = keys
    // No player is connected yet: the avatar is taken out of the dungeon until its player returns.
    if (!session.isOver) advance(realm, { is: 'leave', player }, [])
  }

  return (row: RealmTable): Promise<Realm | Elsewhere | undefined> => {
    const here = awake.find(row.id)
    if (here) return Promise.resolve(here)
    const known = loading.get(row.id)
    if (known) return known
    const fresh = load(row).finally(() => loading.delete(row.id))
    loading.set(row.id, fresh)
    return fresh
  }
}

/** How many keys each player has pressed; read only for cups, whose runs are limited: other logs may be huge. */
async function countKeys(db: GameDatabase, realm: string): Promise<Map<number, number>> {
  const counts = new Map<number, number>()
  for (const command of await readCommands(db, realm))
    if (command.is === 'key') counts.set(command.player, (counts.get(command.player) ?? 0) + 1)
  return counts
}
