import { type InsertObject, sql, type Transaction } from 'kysely'
import { transact } from '../../src/storage/transact.ts'
import type { GameSchema } from '../storage/game-schema.ts'
import type { GameDatabase } from '../storage/open-game-database.ts'
import type { Realm, Unwritten } from './realm.ts'

/** The changes of one realm that are written in one transaction. */
export interface Part {
  readonly realm: Realm
  readonly unwritten: Unwritten
  /** The number of the first command of this part. */
  readonly first: number
  readonly hasSnapshot: boolean
  readonly isFrozen: boolean
}

export interface Snapshot {
  readonly commands: number
  readonly state: Uint8Array
}

interface WriteOptions {
  readonly at: number
  /** The id of this host, where several share the database. */
  readonly owner?: string | undefined
}

/**
 * Writes parts of several realms in one transaction. Realms that another host has taken over are left out, and row
 * locks keep the others from being taken until the transaction ends.
 *
 * @returns the realms that are lost to this host
 */
export async function writeParts(
  db: GameDatabase,
  parts: readonly Part[],
  snapshots: ReadonlyMap<Realm, Snapshot>,
  options: WriteOptions,
): Promise<ReadonlySet<Realm>> {
  const { owner } = options
  if (owner !== undefined && snapshots.size === 0 && parts.every(hasOnlyCommands)) return writeCommands(db, parts)
  return transact(db, async (tx) => {
    const lost = owner === undefined ? new Set<Realm>() : await findLost(tx, parts, owner)
    await writeKept(
      tx,
      parts.filter(({ realm }) => !lost.has(realm)),
      snapshots,
      options,
    )
    return lost
  })
}

const hasOnlyCommands = ({ isFrozen, unwritten }: Part): boolean => {
  const { commands, isNew, isClosed, isDoubted, sessions, lives } = unwritten
  return commands.length > 0 && sessions.length + lives.length === 0 && !(isFrozen || isNew || isClosed || isDoubted)
}

/** Writes a batch of nothing but commands, as most are, in one statement, because its players wait for the answer. */
async function writeCommands(db: GameDatabase, parts: readonly Part[]): Promise<ReadonlySet<Realm>> {
  const rows = parts.map((part) => ({ ...toLogRow(part), fence: part.realm.fence }))
  const column = (name: keyof (typeof rows)[number]) => sql.val(rows.map((row) => row[name]))
  const { rows: written } = await sql<{ realm: string }>`
    with given as (
        select * from unnest(${column('realm')}::text[], ${column('fence')}::integer[], ${column('first')}::integer[],
          ${column('count')}::integer[], ${column('commands')}::text[]) as part(realm, fence, first, count, commands)),
      ours as (select id from realm where (id, fence) in (select realm, fence from given) for share)
    insert into input_log (realm, first, count, commands)
    select given.realm, given.first, given.count, given.commands from given join ours on ours.id = given.realm
    returning realm`.execute(db)
  const kept = new Set(written.map(({ realm }) => realm))
  return new Set(parts.flatMap(({ realm }) => (kept.has(realm.id) ? [] : [realm])))
}

/** Rows per statement: a statement may have only some tens of thousands of values, and a shutdown writes all realms. */
const rowsAtOnce = 1000

function* inTurns<Row>(rows: readonly Row[]): Generator<Row[]> {
  for (let from = 0; from < rows.length; from += rowsAtOnce) yield rows.slice(from, from + rowsAtOnce)
}

async function writeKept(
  db: Transaction<GameSchema>,
  parts: readonly Part[],
  snapshots: ReadonlyMap<Realm, Snapshot>,
  options: WriteOptions,
): Promise<void> {
  for (const part of parts) await writePart(db, part, options)
  // One statement for many realms: a full host has a hundred in each batch.
  const logged = parts.filter(({ unwritten }) => unwritten.commands.length > 0)
  const doubted = logged.filter(({ unwritten }) => unwritten.isDoubted)
  for (const some of inTurns(doubted)) await writeDoubted(db, some)
  const fresh = logged.filter(({ unwritten }) => !unwritten.isDoubted).map(toLogRow)
  for (const some of inTurns(fresh)) await db.insertInto('input_log').values(some).execute()
  for (const { realm } of parts) {
    const snapshot = snapshots.get(realm)
    if (snapshot) await writeSnapshot(db, realm.id, snapshot)
  }
}

async function findLost(db: Transaction<GameSchema>, parts: readonly Part[], owner: string): Promise<Set<Realm>> {
  const lost = new Set<Realm>()
  // A new realm cannot have another owner, unless an unconfirmed write may have stored it already.
  const asked = parts.filter(({ unwritten: { isNew, isDoubted } }) => !isNew || isDoubted)
  if (asked.length > 0) {
    const ids = asked.map(({ realm }) => realm.id)
    const rows = await db.selectFrom('realm').select(['id', 'fence']).where('id', 'in', ids).forShare().execute()
    const fences = new Map(rows.map(({ id, fence }) => [id, fence]))
    for (const { realm, unwritten } of asked) {
      const fence = fences.get(realm.id)
      if (fence === undefined ? !unwritten.isNew : fence !== realm.fence) lost.add(realm)
    }
  }
  const claimed = parts.flatMap(({ unwritten }) => unwritten.claimed)
  if (claimed.length > 0) {
    const rows = await db
      .selectFrom('claim')
      .select('account')
      .where('account', 'in', claimed)
      .where('host', '=', owner)
      .forShare()
      .execute()
    const ours = new Set(rows.map(({ account }) => account))
    for (const { realm, unwritten } of parts) if (unwritten.claimed.some((each) => !ours.has(each))) lost.add(realm)
  }
  return lost
}

const toLogRow = ({ realm, unwritten: { commands }, first }: Part) => ({
  realm: realm.id,
  first,
  count: commands.length,
  commands: JSON.stringify(commands),
})

/** Writes commands that may be on disk in part: the row written then is a prefix of the row written now. */
async function writeDoubted(db: Transaction<GameSchema>, parts: readonly Part[]): Promise<void> {
  await db
    .insertInto('input_log')
    .values(parts.map(toLogRow))
    .onConflict((conflict) =>
      conflict.columns(['realm', 'first']).doUpdateSet(({ ref }) => ({
        count: ref('excluded.count'),
        commands: ref('excluded.commands'),
      })),
    )
    .execute()
}

async function writePart(db: Transaction<GameSchema>, part: Part, { at, owner }: WriteOptions): Promise<void> {
  const { realm, unwritten, isFrozen } = part
  const { id, mode, event, seed, openedAt, fence } = realm
  const { rules } = realm.world
  /** A row that exists already is an error, unless an unconfirmed write may have stored it. */
  const insert = <Table extends 'realm' | 'seat' | 'life'>(table: Table, rows: InsertObject<GameSchema, Table>[]) => {
    const query = db.insertInto(table).values(rows)
    return (unwritten.isDoubted ? query.onConflict((conflict) => conflict.doNothing()) : query).execute()
  }
  if (unwritten.isNew) {
    const times = { opened_at: openedAt, closed_at: null, frozen_at: null }
    await insert('realm', [{ id, mode, event, seed, rules, ...times, owner: owner ?? null, fence }])
  }
  if (unwritten.sessions.length > 0) await insert('seat', unwritten.sessions)
  for (const life of unwritten.lives) {
    await insert('life', [life])
    await db.updateTable('seat').set({ is_over: 1 }).where('realm', '=', id).where('player', '=', life.player).execute()
  }
  if (unwritten.isClosed) {
    await db.updateTable('realm').set({ closed_at: at }).where('id', '=', id).execute()
    await db.deleteFrom('snapshot').where('realm', '=', id).execute()
  }
  // The unconfirmed write may have marked the realm as frozen.
  else if (unwritten.isDoubted && !isFrozen)
    await db
      .updateTable('realm')
      .set({ frozen_at: null, owner: owner ?? null })
      .where('id', '=', id)
      .execute()
  if (isFrozen)
    await db
      .updateTable('realm')
      .set({ frozen_at: Math.min(at, lastAtOf(realm)), owner: null })
      .where('id', '=', id)
      .execute()
}

/** When a living player of a realm last did something or was connected; when it was opened if there is none. */
const lastAtOf = ({ openedAt, sessions }: Realm): number =>
  Math.max(
    openedAt,
    ...[...sessions.values()].flatMap(({ isOver, lastAt, leftAt }) => (isOver ? [] : [lastAt, leftAt])),
  )

async function writeSnapshot(db: Transaction<GameSchema>, realm: string, snapshot: Snapshot): Promise<void> {
  await db
    .insertInto('snapshot')
    .values({ realm, ...snapshot })
    .onConflict((conflict) => conflict.column('realm').doUpdateSet(snapshot))
    .execute()
}
