import { deflateRawSync } from 'node:zlib'
import type { InsertObject, Transaction } from 'kysely'
import { type Log, toLogText } from '../../src/core/log.ts'
import { AnswerLost } from '../../src/storage/answer-lost.ts'
import { transact } from '../../src/storage/transact.ts'
import { saveWorld } from '../core/save-world.ts'
import type { GameSchema } from '../storage/game-schema.ts'
import type { GameDatabase } from '../storage/open-game-database.ts'
import { makeUnwritten, type Realm, type Reward, type Unwritten } from './realm.ts'

/** What a crash may take. */
const batchMs = 200
const retryMs = 1000
const commandsPerSnapshot = 250
/** A snapshot takes a millisecond of everybody's time, so that a batch has few. */
const snapshotsPerBatch = 3

interface Options {
  readonly db: GameDatabase
  readonly log: Log
  readonly now: () => number
  /** Pays what is due, once what earned it is on disk. */
  readonly pay: (rewards: readonly Reward[]) => Promise<void>
}

interface Part {
  readonly realm: Realm
  readonly unwritten: Unwritten
  /** The number of the first command of this part. */
  readonly first: number
  readonly hasSnapshot: boolean
  readonly isFrozen: boolean
}

/** Writes down what happens in realms: in batches, each whole or not at all. */
export function makeLogKeeper({ db, log, now, pay }: Options) {
  const changed = new Set<Realm>()
  let timer: NodeJS.Timeout | undefined
  let last: Promise<boolean> = Promise.resolve(true)
  let next: Promise<boolean> | undefined

  function schedule(ms: number): void {
    timer ??= setTimeout(() => void flush(), ms)
  }

  /** One write at a time, in order: a batch that failed is put back before the next one is taken. */
  function enqueue(takeParts: () => Part[]): Promise<boolean> {
    last = last.then(() => write(takeParts()))
    return last
  }

  function takePart(realm: Realm, isFrozen: boolean, hasSnapshot: boolean): Part {
    const { unwritten } = realm
    realm.unwritten = makeUnwritten(false)
    const first = realm.commands - unwritten.commands.length
    // The next start asks what is owed only of realms that do not rest.
    return { realm, unwritten, first, hasSnapshot, isFrozen: isFrozen && realm.owed.size === 0 }
  }

  function takeBatch(): Part[] {
    let snapshots = 0
    const parts = [...changed].map((realm) => {
      const isDue = realm.commands - realm.snapshotCommands >= commandsPerSnapshot && !realm.unwritten.isClosed
      const hasSnapshot = isDue && snapshots++ < snapshotsPerBatch
      return takePart(realm, false, hasSnapshot)
    })
    changed.clear()
    return parts
  }

  async function write(parts: readonly Part[]): Promise<boolean> {
    if (parts.length === 0) return true
    // States are taken before anything is awaited: the worlds go on meanwhile.
    const states = parts.map(({ realm, hasSnapshot }) =>
      hasSnapshot ? { commands: realm.commands, state: deflateRawSync(saveWorld(realm.world)) } : undefined,
    )
    try {
      await transact(db, async (transaction) => {
        for (const part of parts) await writePart(transaction, part, now())
        // One statement for all: a full house has a hundred realms in each batch.
        const logged = parts.filter(({ unwritten }) => unwritten.commands.length > 0)
        const doubted = logged.filter(({ unwritten }) => unwritten.isDoubted)
        if (doubted.length > 0) await writeDoubted(transaction, doubted)
        const fresh = logged.filter(({ unwritten }) => !unwritten.isDoubted).map(toLogRow)
        if (fresh.length > 0) await transaction.insertInto('input_log').values(fresh).execute()
        for (const [at, { realm }] of parts.entries()) {
          const snapshot = states[at]
          if (snapshot) await writeSnapshot(transaction, realm.id, snapshot)
        }
      })
    } catch (error) {
      log('server.error', { error: toLogText(error) })
      for (const part of parts) putBack(part, error instanceof AnswerLost)
      schedule(retryMs)
      return false
    }
    for (const [at, { realm, unwritten }] of parts.entries()) {
      realm.snapshotCommands = states[at]?.commands ?? realm.snapshotCommands
      if (unwritten.rewards.length > 0) realm.paying = realm.paying.then(() => pay(unwritten.rewards))
    }
    return true
  }

  function putBack({ realm, unwritten }: Part, isDoubted: boolean): void {
    const later = realm.unwritten
    realm.unwritten = {
      isNew: unwritten.isNew,
      commands: [...unwritten.commands, ...later.commands],
      sessions: [...unwritten.sessions, ...later.sessions],
      lives: [...unwritten.lives, ...later.lives],
      rewards: [...unwritten.rewards, ...later.rewards],
      isClosed: unwritten.isClosed || later.isClosed,
      isDoubted: unwritten.isDoubted || isDoubted,
    }
    changed.add(realm)
  }

  /** Writes at once; false when that failed, and it is tried again. */
  function flush(): Promise<boolean> {
    // Everybody who asks while one batch is being written shares the next one.
    next ??= enqueue(() => {
      next = undefined
      clearTimeout(timer)
      timer = undefined
      return takeBatch()
    })
    return next
  }

  return {
    /** The realm has something unwritten; it is on disk a moment later. */
    remember(realm: Realm): void {
      changed.add(realm)
      schedule(batchMs)
    },
    flush,
    /** Writes realms with their whole state, everything paid; `isFrozen` when they leave the memory. */
    async keepWhole(realms: readonly Realm[], { isFrozen }: { isFrozen: boolean }): Promise<boolean> {
      if (!(await flush())) return false
      await Promise.all(realms.map((realm) => realm.paying))
      return enqueue(() => {
        for (const realm of realms) changed.delete(realm)
        return realms.map((realm) => takePart(realm, isFrozen, !realm.unwritten.isClosed))
      })
    },
    /** How many commands are not on disk yet. */
    lag(): number {
      let commands = 0
      for (const realm of changed) commands += realm.unwritten.commands.length
      return commands
    },
  }
}

export type LogKeeper = ReturnType<typeof makeLogKeeper>

const toLogRow = ({ realm, unwritten: { commands }, first }: Part) => ({
  realm: realm.id,
  first,
  count: commands.length,
  commands: JSON.stringify(commands),
})

/** Of a batch that may be on disk: what was logged then is the beginning of what is logged now. */
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

async function writePart(db: Transaction<GameSchema>, part: Part, at: number): Promise<void> {
  const { realm, unwritten, isFrozen } = part
  const { id, mode, event, seed, openedAt } = realm
  const { rules } = realm.world
  /** What is there twice is a fault, unless it may be there from before. */
  const insert = <Table extends 'realm' | 'seat' | 'life'>(table: Table, rows: InsertObject<GameSchema, Table>[]) => {
    const query = db.insertInto(table).values(rows)
    return (unwritten.isDoubted ? query.onConflict((conflict) => conflict.doNothing()) : query).execute()
  }
  if (unwritten.isNew)
    await insert('realm', [{ id, mode, event, seed, rules, opened_at: openedAt, closed_at: null, frozen_at: null }])
  if (unwritten.sessions.length > 0) await insert('seat', unwritten.sessions)
  for (const life of unwritten.lives) {
    await insert('life', [life])
    await db.updateTable('seat').set({ is_over: 1 }).where('realm', '=', id).where('player', '=', life.player).execute()
  }
  if (unwritten.isClosed) {
    await db.updateTable('realm').set({ closed_at: at }).where('id', '=', id).execute()
    await db.deleteFrom('snapshot').where('realm', '=', id).execute()
  }
  if (isFrozen) await db.updateTable('realm').set({ frozen_at: at }).where('id', '=', id).execute()
}

async function writeSnapshot(
  db: Transaction<GameSchema>,
  realm: string,
  snapshot: { commands: number; state: Uint8Array },
): Promise<void> {
  await db
    .insertInto('snapshot')
    .values({ realm, ...snapshot })
    .onConflict((conflict) => conflict.column('realm').doUpdateSet(snapshot))
    .execute()
}
