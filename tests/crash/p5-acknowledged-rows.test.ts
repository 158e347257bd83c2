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
import { makeProductStore } from '../../src/payments/product-store.ts'
import { openLedgerDatabase } from '../../src/storage/open-ledger-database.ts'
import { bundleProgram, compileCache } from '../support/bundle-program.ts'
import { figure, limitMs } from '../support/figures.ts'
import { isReleased, numberedSale } from '../support/numbered-sale.ts'

const kills = figure(100, 10_000)
/** Two writers at a time, each on a ledger of its own, which is thrown away after some lives. */
const lanes = 2
const livesPerLedger = 25
const numbersPerLife = 100_000

const acknowledgement = z.tuple([z.enum(['working', 'released', 'settling', 'settled']), z.coerce.number()])
type Acknowledged = Map<number, z.infer<typeof acknowledgement>[0]>

/** One life of the writer: killed some milliseconds after it began to open the ledger. */
async function writeUntilKilled(program: string, dataDir: string, first: number): Promise<Acknowledged> {
  const child = spawn(process.execPath, [program, dataDir, String(first)], {
    env: { ...process.env, NODE_COMPILE_CACHE: compileCache },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const closed = once(child, 'close')
  let output = ''
  const loaded = new Promise<void>((resolve) => {
    child.stdout.on('data', (chunk) => {
      output += chunk
      resolve()
    })
  })
  await Promise.race([loaded, closed])
  await delay(Math.random() * 100)
  child.kill('SIGKILL')
  const [, signal] = await closed
  // A writer that ends by itself met an error, which it printed.
  expect(signal).toBe('SIGKILL')
  const whole = output.slice(0, output.lastIndexOf('\n')).split('\n').slice(1)
  return new Map(
    whole.map((line) => {
      const [state, number] = acknowledgement.parse(line.split(' '))
      return [number, state]
    }),
  )
}

const rowSchema = z.object({
  state: z.string(),
  body: z.instanceof(Uint8Array).nullable(),
  body_file: z.string().nullable(),
  transaction_hash: z.string().nullable(),
  sales: z.number(),
})
/** What may be found of a row: what was acknowledged, or what the writer would have done next. */
const later: Record<'working' | 'settling' | 'settled', readonly string[]> = {
  working: ['working', 'settling', 'settled'],
  settling: ['settling', 'settled'],
  settled: ['settled'],
}

async function expectKept(dataDir: string, acknowledged: Acknowledged): Promise<void> {
  // Killed so early that there may be no tables yet.
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
    if (state === 'working') continue
    const bytes = await products.read({ body: row.body, file: row.body_file })
    expect(Buffer.compare(bytes, product.body)).toBe(0)
    if (state === 'settled') expect([row.transaction_hash, row.sales]).toEqual([transaction, 1])
  }
  expect(db.prepare('pragma integrity_check').all()).toEqual([{ integrity_check: 'ok' }])
  db.close()
}

it(`keeps every row that was acknowledged before a kill (${kills} kills)`, {
  timeout: limitMs(120_000, 7_200_000),
}, async () => {
  const program = await bundleProgram('tests/crash/ledger-writer.ts')
  let acknowledgements = 0
  const lane = async (lives: number): Promise<void> => {
    let dataDir = ''
    const everything: Acknowledged = new Map()
    for (let life = 0; life < lives; life++) {
      if (life % livesPerLedger === 0) {
        if (dataDir) rmSync(dataDir, { recursive: true })
        dataDir = mkdtempSync(join(tmpdir(), 'farthing-p5-'))
        everything.clear()
      }
      const acknowledged = await writeUntilKilled(program, dataDir, life * numbersPerLife)
      acknowledgements += acknowledged.size
      for (const [number, state] of acknowledged) everything.set(number, state)
      const isLast = life + 1 === lives || (life + 1) % livesPerLedger === 0
      await expectKept(dataDir, isLast ? everything : acknowledged)
    }
    rmSync(dataDir, { recursive: true })
  }
  await Promise.all(Array.from({ length: lanes }, (_, index) => lane(Math.floor((kills + index) / lanes))))
  // Writers that never get to write would prove nothing.
  expect(acknowledgements).toBeGreaterThan(kills)
})

it('waits for the disk at every commit, which a kill cannot tell but a power cut would', async () => {
  const db = await openLedgerDatabase(join(mkdtempSync(join(tmpdir(), 'farthing-p5-')), 'ledger.db'))
  const ask = async (name: string) => (await sql.raw(`pragma ${name}`).execute(db)).rows
  expect(await ask('journal_mode')).toEqual([{ journal_mode: 'wal' }])
  // 2 is FULL: the log is synced before a commit returns (sqlite.org/pragma.html#pragma_synchronous).
  expect(await ask('synchronous')).toEqual([{ synchronous: 2 }])
  expect(await ask('foreign_keys')).toEqual([{ foreign_keys: 1 }])
  await db.destroy()
})
