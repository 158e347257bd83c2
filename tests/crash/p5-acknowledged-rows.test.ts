import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { makeLedger } from '../../src/payments/ledger/ledger.ts'
import { makeProductStore } from '../../src/payments/ledger/product-store.ts'
import { newReceiptId } from '../../src/payments/ledger/receipts.ts'
import { bundleProgram } from '../support/bundle-program.ts'
import { figure, limitMs } from '../support/figures.ts'
import { isReleased, numberedSale } from '../support/numbered-sale.ts'
import { openTestLedger } from '../support/test-databases.ts'

const kills = figure(50, 10_000)
/** Two writers work at a time, each on a ledger of its own, which is replaced after some lives. */
const lanes = 2
const livesPerLedger = 25
const numbersPerLife = 100_000
const firstStarts = figure(10, 500)
const crowds = figure(3, 100)

const acknowledgement = z.tuple([z.enum(['working', 'released', 'settling', 'settled']), z.coerce.number()])
type Acknowledged = Map<number, z.infer<typeof acknowledgement>[0]>

const newFolder = (): string => mkdtempSync(join(tmpdir(), 'farthing-p5-'))

interface Writer {
  /** Resolves when the writer has loaded and begins to open the ledger, or when it has ended. */
  opening: Promise<void>
  /** Resolves when the writer has written something, or when it has ended. */
  writing: Promise<void>
  kill: () => Promise<Acknowledged>
}

async function startWriter(dataDir: string, first: number): Promise<Writer> {
  const program = await bundleProgram('tests/crash/ledger-writer.ts')
  const child = spawn(process.execPath, [program, dataDir, String(first)], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const closed = once(child, 'close')
  let output = ''
  let errors = ''
  child.stderr.on('data', (chunk) => {
    errors += chunk
  })
  const lines = (count: number) =>
    new Promise<void>((resolve) => {
      child.stdout.on('data', () => {
        if (output.split('\n').length > count) resolve()
      })
      child.on('close', () => resolve())
    })
  child.stdout.on('data', (chunk) => {
    output += chunk
  })
  return {
    opening: lines(1),
    writing: lines(2),
    async kill() {
      child.kill('SIGKILL')
      const [, signal] = await closed
      expect([errors, signal]).toEqual(['', 'SIGKILL'])
      const whole = output.slice(0, output.lastIndexOf('\n')).split('\n').slice(1)
      return new Map(
        whole.map((line) => {
          const [state, number] = acknowledgement.parse(line.split(' '))
          return [number, state]
        }),
      )
    },
  }
}

const rowSchema = z.object({
  state: z.string(),
  body: z.instanceof(Uint8Array).nullable(),
  body_file: z.string().nullable(),
  transaction_hash: z.string().nullable(),
  sales: z.number(),
})
const countsSchema = z.object({ granted: z.number(), sold: z.number() })
/** The states that a row may have by the state that was last acknowledged: that one, or those that come after it. */
const later: Record<'working' | 'settling' | 'settled', readonly string[]> = {
  working: ['working', 'settling', 'settled'],
  settling: ['settling', 'settled'],
  settled: ['settled'],
}

async function expectKept(dataDir: string, acknowledged: Acknowledged): Promise<void> {
  // The writer was killed so early that there may be no tables.
  if (acknowledged.size === 0) return
  const db = new DatabaseSync(join(dataDir, 'ledger.db'))
  const products = makeProductStore(join(dataDir, 'products'))
  const select = db.prepare(
    `select state, body, body_file, transaction_hash,
       (select count(*) from sale where payment_key = key) as sales from payment where key = ?`,
  )
  for (const [number, state] of acknowledged) {
    const { claim, product, transaction } = numberedSale(number)
    const found = select.get(claim.key)
    if (state === 'released') {
      expect(found).toBeUndefined()
      continue
    }
    if (found === undefined && isReleased(number)) continue
    const row = rowSchema.parse(found, { error: () => `sale ${number} was acknowledged ${state} and is lost` })
    expect(later[state]).toContain(row.state)
    const isSettled = row.state === 'settled'
    expect([row.transaction_hash, row.sales]).toEqual(isSettled ? [transaction, 1] : [null, 0])
    if (row.state === 'working') continue
    const bytes = await products.read({ body: row.body, file: row.body_file })
    expect(Buffer.compare(bytes, product.body)).toBe(0)
  }
  // The grants of a sale are stored with it, and none without its sale. Counted at one instant, because other writers
  // may go on.
  const { granted, sold } = countsSchema.parse(
    db
      .prepare(
        `select (select count(*) from entitlement where entitlement = 'badge_tip') as granted,
           (select count(*) from sale where grants is not null) as sold`,
      )
      .get(),
  )
  expect(granted).toBe(sold)
  expect(db.prepare('pragma integrity_check').all()).toEqual([{ integrity_check: 'ok' }])
  db.close()
}

it(`keeps every row that was acknowledged before a kill (${kills} kills)`, {
  timeout: limitMs(600_000, 7_200_000),
}, async () => {
  let acknowledgements = 0
  const lane = async (lives: number): Promise<void> => {
    let dataDir = ''
    const everything: Acknowledged = new Map()
    for (let life = 0; life < lives; life++) {
      if (life % livesPerLedger === 0) {
        if (dataDir) rmSync(dataDir, { recursive: true })
        dataDir = newFolder()
        everything.clear()
      }
      const writer = await startWriter(dataDir, life * numbersPerLife)
      // One writer in five is killed while it opens the ledger or writes its first row.
      await (life % 5 === 0 ? writer.opening : writer.writing)
      await delay(Math.random() * 50)
      const acknowledged = await writer.kill()
      acknowledgements += acknowledged.size
      for (const [number, state] of acknowledged) everything.set(number, state)
      const isLast = life + 1 === lives || (life + 1) % livesPerLedger === 0
      await expectKept(dataDir, isLast ? everything : acknowledged)
    }
    rmSync(dataDir, { recursive: true })
  }
  await Promise.all(Array.from({ length: lanes }, (_, index) => lane(Math.floor((kills + index) / lanes))))
  // Writers that are killed before they write would prove nothing.
  expect(acknowledgements).toBeGreaterThan(kills / 2)
})

it(`can use a ledger whose first opening was killed (${firstStarts} kills)`, {
  timeout: limitMs(600_000, 600_000),
}, async () => {
  for (let start = 0; start < firstStarts; start++) {
    const dataDir = newFolder()
    const writer = await startWriter(dataDir, 0)
    await writer.opening
    await delay((30 * start) / firstStarts)
    await writer.kill()
    const db = await openTestLedger(dataDir)
    expect(await db.selectFrom('sale').select('id').where('id', '=', 'none').execute()).toEqual([])
    await db.destroy()
    rmSync(dataDir, { recursive: true })
  }
})

it(`lets three processes create one new ledger at the same time (${crowds} times)`, {
  timeout: limitMs(600_000, 600_000),
}, async () => {
  for (let crowd = 0; crowd < crowds; crowd++) {
    const dataDir = newFolder()
    const writers = await Promise.all([0, 1, 2].map((index) => startWriter(dataDir, index * numbersPerLife)))
    await Promise.all(writers.map(({ writing }) => writing))
    for (const writer of writers) {
      const acknowledged = await writer.kill()
      expect(acknowledged.size).toBeGreaterThan(0)
      await expectKept(dataDir, acknowledged)
    }
    rmSync(dataDir, { recursive: true })
  }
})

it('syncs its commits to disk, which a kill cannot show but a power cut would', async () => {
  const dataDir = newFolder()
  const db = await openTestLedger(dataDir)
  const ask = async (name: string) => (await sql.raw(`pragma ${name}`).execute(db)).rows
  const expectDurable = async () => {
    expect(await ask('journal_mode')).toEqual([{ journal_mode: 'wal' }])
    // 2 is FULL: the log is synced before a commit returns (sqlite.org/pragma.html#pragma_synchronous).
    expect(await ask('synchronous')).toEqual([{ synchronous: 2 }])
    expect(await ask('foreign_keys')).toEqual([{ foreign_keys: 1 }])
  }
  await expectDurable()
  // A claim and the count of deliveries need no sync, but what follows them does.
  const products = makeProductStore(join(dataDir, 'products'))
  const ledger = makeLedger({ db, products, owner: 'me', now: Date.now, newReceiptId })
  expect(await ledger.claim(numberedSale(0).claim)).toBeDefined()
  expect(await ledger.claim(numberedSale(0).claim)).toBeUndefined()
  await expectDurable()
  await ledger.countDelivery({ key: numberedSale(0).claim.key, deliveries: 0 })
  await expectDurable()
  await db.destroy()
  rmSync(dataDir, { recursive: true })
})
