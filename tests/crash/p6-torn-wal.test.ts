import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import fc from 'fast-check'
import { sql } from 'kysely'
import { beforeAll, expect, it } from 'vitest'
import { makeLedger } from '../../src/payments/ledger/ledger.ts'
import { makeProductStore } from '../../src/payments/ledger/product-store.ts'
import { openLedgerDatabase } from '../../src/storage/open-ledger-database.ts'
import { figure, limitMs, seed } from '../support/figures.ts'
import { isReleased, numberedSale } from '../support/numbered-sale.ts'

const damages = figure(2000, 200_000)
const sales = 30
/** Where the damaged copies are written: in memory where possible, because they need no durable disk. */
const memory = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()

/** A ledger whose commits are all still in its write-ahead log, and its contents after each of them. */
interface Recording {
  main: Buffer
  log: Buffer
  /** For each commit, the length of the log after it, and a hash of every row. */
  commits: { logBytes: number; contents: string }[]
}

/** One hash of every row of these tables. */
function readContents(db: DatabaseSync): string {
  const hash = createHash('sha256')
  for (const table of ['payment', 'sale', 'player', 'entitlement'])
    for (const row of db.prepare(`select * from ${table} order by 1`).iterate())
      for (const value of Object.values(row)) hash.update(value instanceof Uint8Array ? value : `${value};`)
  return hash.digest('hex')
}

async function record(): Promise<Recording> {
  const folder = mkdtempSync(join(tmpdir(), 'farthing-p6-'))
  const file = join(folder, 'ledger.db')
  const db = await openLedgerDatabase(file)
  await sql`pragma wal_checkpoint(truncate)`.execute(db)
  await sql`pragma wal_autocheckpoint = 0`.execute(db)
  const main = readFileSync(file)
  const reader = new DatabaseSync(file, { readOnly: true })
  const commits: Recording['commits'] = []
  const note = () => commits.push({ logBytes: statSync(`${file}-wal`).size, contents: readContents(reader) })
  note()

  let receipts = 0
  const newReceiptId = () => `r_${(receipts++).toString(16).padStart(32, '0')}`
  const products = makeProductStore(join(folder, 'products'))
  const ledger = makeLedger({ db, products, owner: 'the writer', now: Date.now, newReceiptId })
  for (let number = 0; number < sales; number++) {
    const { claim, product, transaction } = numberedSale(number)
    const lease = await ledger.claim(claim)
    if (!lease) throw new Error('taken')
    note()
    if (isReleased(number)) {
      await ledger.release(lease)
      note()
      continue
    }
    await ledger.keepForSettlement(lease, product, 1)
    note()
    await ledger.recordSale(lease, { transaction: transaction })
    note()
    await ledger.countDelivery({ key: claim.key, deliveries: 0 })
    note()
  }
  const log = readFileSync(`${file}-wal`)
  reader.close()
  await db.destroy()
  rmSync(folder, { recursive: true })
  return { main, log, commits }
}

let recording: Recording
beforeAll(async () => {
  recording = await record()
})

type Damage = { is: 'cut' } | { is: 'flip'; bit: number } | { is: 'zeros' | 'noise'; bytes: number }
const damage: fc.Arbitrary<Damage> = fc.oneof(
  fc.constant({ is: 'cut' as const }),
  fc.record({ is: fc.constant('flip' as const), bit: fc.nat(7) }),
  fc.record({ is: fc.constantFrom('zeros' as const, 'noise' as const), bytes: fc.integer({ min: 1, max: 8192 }) }),
)

/** The damaged log, made in `copy`: memory for a new one would take longer than the damage. */
function damaged(log: Buffer, copy: Buffer, at: number, how: Damage): Buffer {
  if (how.is === 'cut') return log.subarray(0, at)
  log.copy(copy)
  if (how.is === 'flip') copy[at] = (copy[at] ?? 0) ^ (1 << how.bit)
  else for (let i = at; i < Math.min(at + how.bytes, copy.length); i++) copy[i] = how.is === 'zeros' ? 0 : i * 31 + 7
  return copy
}

/** The first byte that really differs: damage may happen to write what was there before. */
function firstDifference(log: Buffer, torn: Buffer, from: number): number {
  let at = from
  while (at < torn.length && log[at] === torn[at]) at++
  return at
}

it(`opens after a torn log with exactly the commits before the damage (${damages} damages)`, {
  timeout: limitMs(600_000, 7_200_000),
}, async () => {
  const { main, log, commits } = recording
  const copy = Buffer.alloc(log.length)
  const folder = mkdtempSync(join(memory, 'farthing-p6-'))
  const file = join(folder, 'torn.db')
  const found = new Set<string>()
  let runs = 0
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 0, max: log.length - 1 }), damage, async (at, how) => {
      const torn = damaged(log, copy, at, how)
      rmSync(`${file}-shm`, { force: true })
      // Over the one before, whose memory is still there.
      writeFileSync(file, main, { flag: existsSync(file) ? 'r+' : 'w' })
      truncateSync(file, main.length)
      writeFileSync(`${file}-wal`, torn)
      // Sometimes it is opened first as the programs do, with migrations.
      if (runs++ % 50 === 0) await (await openLedgerDatabase(file)).destroy()
      const db = new DatabaseSync(file)
      const [integrity] = db.prepare('pragma integrity_check').all()
      const contents = readContents(db)
      db.close()
      found.add(contents)
      const soundBytes = firstDifference(log, torn, at)
      const intact = commits.findLast(({ logBytes }) => logBytes <= soundBytes)
      return integrity?.['integrity_check'] === 'ok' && contents === (intact ?? commits[0])?.contents
    }),
    { numRuns: damages, ...seed },
  )
  rmSync(folder, { recursive: true })
  // Most commits have been the last intact one in some run.
  expect(found.size).toBeGreaterThan(commits.length / 2)
})
