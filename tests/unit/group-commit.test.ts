import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { type Kysely, SqliteDialect, sql } from 'kysely'
import { expect, it, onTestFinished } from 'vitest'
import { GroupCommitDatabase } from '../../src/storage/group-commit.ts'
import { nodeSqlite } from '../../src/storage/node-sqlite.ts'
import { transact } from '../../src/storage/transact.ts'

interface Schema {
  note: { id: number; text: string }
  answer: { id: number; note: number }
}

/** A database in a file, and how often it was asked to begin and to commit. */
async function openCounted() {
  const folder = mkdtempSync(join(tmpdir(), 'farthing-group-'))
  const path = join(folder, 'notes.db')
  const sqlite = nodeSqlite(path, 'full')
  const counts = { begin: 0, commit: 0 }
  const database: typeof sqlite = {
    close: () => sqlite.close(),
    prepare(text) {
      if (text === 'begin' || text === 'commit') counts[text]++
      return sqlite.prepare(text)
    },
  }
  const db: Kysely<Schema> = new GroupCommitDatabase({ dialect: new SqliteDialect({ database }) })
  await sql`create table note (id integer primary key, text text not null)`.execute(db)
  await sql`create table answer (id integer primary key,
    note integer not null references note (id) deferrable initially deferred)`.execute(db)
  onTestFinished(async () => {
    await db.destroy()
    rmSync(folder, { recursive: true })
  })
  const write = (id: number, text = `${id}`) =>
    transact(db, (tx) => tx.insertInto('note').values({ id, text }).returning('id').executeTakeFirstOrThrow())
  const ids = async () => (await db.selectFrom('note').select('id').orderBy('id').execute()).map(({ id }) => id)
  return { db, path, write, ids, counts }
}

const statuses = (outcomes: readonly PromiseSettledResult<unknown>[]) =>
  outcomes.map((outcome) => (outcome.status === 'fulfilled' ? 'written' : String(outcome.reason)))

it('transactions that are asked for at once share a commit, and each gets its own result', async () => {
  const { write, ids, counts } = await openCounted()
  expect(await Promise.all([write(1), write(2), write(3)])).toEqual([{ id: 1 }, { id: 2 }, { id: 3 }])
  expect(counts).toEqual({ begin: 1, commit: 1 })
  await write(4)
  await write(5)
  expect(counts).toEqual({ begin: 3, commit: 3 })
  expect(await ids()).toEqual([1, 2, 3, 4, 5])
})

it('a crowd is committed in several groups, between which other work is done', async () => {
  const { write, ids, counts } = await openCounted()
  const told: number[] = []
  const crowd = Array.from({ length: 40 }, (_, at) => write(at).then(() => told.push(at)))
  const toldBefore: number[] = []
  for (let turn = 0; turn < 3; turn++) {
    await new Promise(setImmediate)
    toldBefore.push(told.length)
  }
  await Promise.all(crowd)
  expect(toldBefore).toEqual([16, 32, 40])
  expect(counts).toEqual({ begin: 3, commit: 3 })
  expect(await ids()).toHaveLength(40)
})

it('a caller learns the result when others can read it', async () => {
  const { path, write } = await openCounted()
  const other = nodeSqlite(path, 'full')
  onTestFinished(() => other.close())
  const seen = await Promise.all(
    [1, 2, 3].map(async (id) => {
      await write(id)
      return other.prepare('select id from note where id = ?').all([id]).length
    }),
  )
  expect(seen).toEqual([1, 1, 1])
})

it('an error rolls back the transaction that throws it alone, and only its caller gets it', async () => {
  const { db, write, ids } = await openCounted()
  const refused = transact(db, async (tx) => {
    await tx.insertInto('note').values({ id: 2, text: 'gone' }).execute()
    throw new Error('refused')
  })
  const outcomes = await Promise.allSettled([write(1), refused, write(1, 'again'), write(3)])
  expect(statuses(outcomes)).toEqual([
    'written',
    'Error: refused',
    'Error: UNIQUE constraint failed: note.id',
    'written',
  ])
  expect(await ids()).toEqual([1, 3])
})

it('where the commit of all fails, each is committed that can be', async () => {
  const { db, write, ids } = await openCounted()
  const orphan = transact(db, (tx) => tx.insertInto('answer').values({ id: 1, note: 99 }).execute())
  const outcomes = await Promise.allSettled([write(1), orphan, write(2)])
  expect(statuses(outcomes)).toEqual(['written', 'Error: FOREIGN KEY constraint failed', 'written'])
  expect(await ids()).toEqual([1, 2])
})

it('on a full disk those are written that fit', async () => {
  const { db, write, ids } = await openCounted()
  await sql`pragma max_page_count = 8`.execute(db)
  const outcomes = await Promise.allSettled([write(1), write(2, 'x'.repeat(100_000)), write(3)])
  expect(statuses(outcomes)).toEqual(['written', 'Error: database or disk is full', 'written'])
  expect(await ids()).toEqual([1, 3])
})

it('where another process writes for too long, all get that error after one wait', async () => {
  const { path, write, ids, counts } = await openCounted()
  const other = nodeSqlite(path, 'full')
  onTestFinished(() => other.close())
  other.prepare('begin').run([])
  const outcomes = await Promise.allSettled([write(1), write(2), write(3)])
  expect(statuses(outcomes)).toEqual(Array(3).fill('Error: database is locked'))
  expect(counts).toEqual({ begin: 1, commit: 0 })
  other.prepare('rollback').run([])
  expect(await Promise.all([write(4), write(5)])).toEqual([{ id: 4 }, { id: 5 }])
  expect(await ids()).toEqual([4, 5])
})

it('work that goes on after SQLite ended its transaction writes nothing', async () => {
  const { db, write, ids } = await openCounted()
  await sql`pragma max_page_count = 8`.execute(db)
  const careless = transact(db, async (tx) => {
    const tooMuch = tx.insertInto('note').values({ id: 2, text: 'x'.repeat(100_000) })
    await expect(tooMuch.execute()).rejects.toThrow('database or disk is full')
    await tx.insertInto('note').values({ id: 3, text: 'a part' }).execute()
  })
  const outcomes = await Promise.allSettled([write(1), careless, write(4)])
  const ended = 'Error: the transaction was rolled back when an earlier statement of it failed'
  expect(statuses(outcomes)).toEqual(['written', ended, 'written'])
  expect(await ids()).toEqual([1, 4])
})

it('any mix of transactions leaves what they leave one after the other', async () => {
  const { db } = await openCounted()
  const step = fc.record({ id: fc.integer({ min: 1, max: 4 }), isRefused: fc.boolean(), isLater: fc.boolean() })
  const run = async (steps: readonly { id: number; isRefused: boolean; isLater: boolean }[], isAtOnce: boolean) => {
    await db.deleteFrom('note').execute()
    const one = ({ id, isRefused }: (typeof steps)[number], at: number) =>
      transact(db, async (tx) => {
        const { count } = await tx
          .selectFrom('note')
          .select(({ fn }) => fn.countAll<number>().as('count'))
          .executeTakeFirstOrThrow()
        await tx
          .insertInto('note')
          .values({ id, text: `${at} after ${count}` })
          .execute()
        if (isRefused) throw new Error(`${at} is refused`)
        return count
      })
    const outcomes: PromiseSettledResult<number>[] = []
    let waiting: Promise<number>[] = []
    for (const [at, each] of steps.entries()) {
      waiting.push(one(each, at))
      if (isAtOnce && !each.isLater) continue
      outcomes.push(...(await Promise.allSettled(waiting)))
      waiting = []
    }
    outcomes.push(...(await Promise.allSettled(waiting)))
    return { outcomes, notes: await db.selectFrom('note').selectAll().orderBy('id').execute() }
  }
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
      expect(await run(steps, true)).toEqual(await run(steps, false))
    }),
    { numRuns: 50 },
  )
})
