import { CompiledQuery, type RootOperationNode } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { block, listBlocked, toBlockedText, unblock } from '../../src/operator/blocks.ts'
import {
  readDoubtedSales,
  readNewestSales,
  readOpenPayments,
  readReversedSales,
} from '../../src/operator/payment-states.ts'
import { recordRefund } from '../../src/operator/refunds.ts'
import { readSales, toConversion } from '../../src/operator/sales-report.ts'
import { readDateRange, writeTaxCsv } from '../../src/operator/tax-csv.ts'
import { makeChangeWatch } from '../../src/operator/watch-changes.ts'
import { makeSessions } from '../../src/operator-pages/session.ts'
import type { LedgerDatabase } from '../../src/storage/open-ledger-database.ts'
import { readCsv } from '../support/read-csv.ts'
import { recordSale } from '../support/record-sale.ts'
import { isOnPostgres, openTestLedger } from '../support/test-databases.ts'

const noon = Date.parse('2026-11-22T12:00:00Z')
const dayMs = 24 * 60 * 60 * 1000
const wallet = `0x${'ab'.repeat(20)}`

let db: LedgerDatabase
beforeAll(async () => {
  db = await openTestLedger()
  for (const [number, offerId, amount, days] of [
    [1, 'pack', '60000', 0],
    [2, 'pack', '60000', 1],
    [3, 'image', '1000000', 1],
    [4, 'image', '100000', 40],
  ] as const)
    await recordSale(db, number, { path: `/${offerId}`, offerId, amount, settledAt: noon - days * dayMs })
  await db
    .insertInto('quote_total')
    .values([
      { day: '2026-11-22', offer_id: 'pack', count: 6 },
      { day: '2026-11-21', offer_id: 'skill', count: 2 },
      { day: '2026-01-01', offer_id: 'pack', count: 900 },
    ])
    .execute()
})
afterAll(() => db.destroy())

describe('the sales report', () => {
  it('sums by day and by product, with the number of quotes, and has every day', async () => {
    const report = await readSales(db, { days: 3, now: noon })
    expect(report.total).toEqual({ sales: 3, micros: 1_120_000n, quotes: 8 })
    expect(report.days.map(({ date, sales, micros }) => [date, sales, micros])).toEqual([
      ['2026-11-20', 0, 0n],
      ['2026-11-21', 2, 1_060_000n],
      ['2026-11-22', 1, 60_000n],
    ])
    expect(report.products.map((sum) => [sum.product, sum.sales, toConversion(sum)])).toEqual([
      ['image', 1, undefined],
      ['pack', 2, '33.3 %'],
      ['skill', 0, '0.0 %'],
    ])
  })

  // PostgreSQL chooses a plan by table size; the indexes are the same.
  it.skipIf(isOnPostgres())('scans no sales table, on any page, however many sales there are', async () => {
    const asked: RootOperationNode[] = []
    const watched = db.withPlugin({
      transformQuery({ node }) {
        asked.push(node)
        return node
      },
      transformResult: async ({ result }) => result,
    })
    await readSales(watched, { days: 365, now: noon })
    await Promise.all([readOpenPayments(watched), readDoubtedSales(watched), readReversedSales(watched)])
    await readNewestSales(watched, 20)
    const changes = makeChangeWatch({ db: watched, report: () => {} })
    changes.watch(() => {})()
    await changes.close()
    for await (const line of writeTaxCsv(watched, readDateRange('2026-11-22', '2026-11-22', noon)))
      expect(line).toBeTruthy()
    const executor = db.getExecutor()
    const plans = await Promise.all(
      asked.map(async (node) => {
        const { sql, parameters } = executor.compileQuery(node, { queryId: String(asked.indexOf(node)) })
        return db.executeQuery<{ detail: string }>(CompiledQuery.raw(`explain query plan ${sql}`, [...parameters]))
      }),
    )
    const steps = plans.flatMap(({ rows }) => rows.map(({ detail }) => detail))
    expect(steps.length).toBeGreaterThan(12)
    expect(steps.filter((step) => /^SCAN (?:sale|payment|quote_total)\b(?!.* USING )/.test(step))).toEqual([])
    // Scanning an index is cheap if it ends soon.
    expect(
      steps.filter((step) => /^SCAN sale USING INDEX (?!sale_by_time|sale_reversed|sale_not_final)/.test(step)),
    ).toEqual([])
  })
})

describe('open payments', () => {
  it('that are being settled are shown, however many unpaid products strangers have left before', async () => {
    const crowd = await openTestLedger()
    for (let number = 0; number < 152; number++)
      await recordSale(crowd, number, { path: '/a', amount: '1', settledAt: noon + number })
    await crowd.deleteFrom('sale').execute()
    const unpaid = { transaction_hash: null, body: Buffer.from('b') }
    await crowd
      .updateTable('payment')
      .set({ ...unpaid, state: 'ready' })
      .execute()
    await crowd
      .updateTable('payment')
      .set({ state: 'settling', created_at: noon + dayMs })
      .where('key', 'in', ['k150', 'k151'])
      .execute()
    const { counts, payments } = await readOpenPayments(crowd)
    expect(counts).toEqual({ settling: 2, ready: 150 })
    expect(payments.filter(({ state }) => state === 'settling').length).toBe(2)
    expect(payments.filter(({ state }) => state === 'ready').length).toBe(100)
    await crowd.destroy()
  })
})

describe('the CSV for the tax office', () => {
  it('has a row for each sale, loss and refund of the period, whose sum is what remains', async () => {
    const findRefund = () => Promise.reject(new Error('nobody asks the chain'))
    const note = '=HYPERLINK("https://evil.example","a, b")\r\nand more'
    const refunded = await recordRefund({ db, findRefund, now: () => noon }, { receipt: 'r_2', note })
    expect(refunded.is).toBe('recorded')
    await db
      .updateTable('sale')
      .set({ reversed_at: noon - 1 })
      .where('id', '=', 'r_3')
      .execute()
    let text = ''
    for await (const line of writeTaxCsv(db, readDateRange('2026-11-21', '2026-11-22', noon))) text += line
    const [head = [], ...rows] = readCsv(text)
    const lines = rows.map((cells) => Object.fromEntries(head.map((name, at) => [name, cells[at] ?? ''])))
    expect(lines.map((line) => [line['time_utc'], line['kind'], line['amount_atomic'], line['receipt']])).toEqual([
      ['2026-11-21T12:00:00.000Z', 'sale', '60000', 'r_2'],
      ['2026-11-21T12:00:00.000Z', 'sale', '1000000', 'r_3'],
      ['2026-11-22T11:59:59.999Z', 'reversal', '-1000000', 'r_3'],
      ['2026-11-22T12:00:00.000Z', 'sale', '60000', 'r_1'],
      ['2026-11-22T12:00:00.000Z', 'refund', '-60000', 'r_2'],
    ])
    expect(lines.reduce((sum, line) => sum + BigInt(line['amount_atomic'] ?? ''), 0n)).toBe(60_000n)
    // Spreadsheets read this as text.
    expect(lines.at(-1)?.['note']).toBe(`'${note.trim()}`)
    await db.updateTable('sale').set({ reversed_at: null }).where('id', '=', 'r_3').execute()
  })

  it('has every sale once, even if many settled in one millisecond', async () => {
    const crowd = await openTestLedger()
    for (let number = 0; number < 1100; number++)
      await recordSale(crowd, number, { path: '/a', amount: '1', settledAt: noon + (number > 1050 ? 1 : 0) })
    const receipts = new Set<string>()
    let lines = 0
    for await (const line of writeTaxCsv(crowd, readDateRange('2026-11-22', '2026-11-22', noon))) {
      lines++
      receipts.add(line.split(',')[10] ?? '')
    }
    expect([lines, receipts.size]).toEqual([1101, 1101])
    await crowd.destroy()
  })

  it.each([
    ['2026-02-30', undefined, 'is not a date'],
    ['yesterday', undefined, 'is not a date'],
    ['2026-11-22', '2026-11-21', 'before the first'],
  ])('from %s to %s is refused in a sentence', (from, to, sentence) => {
    expect(() => readDateRange(from, to, noon)).toThrow(sentence)
  })
})

describe('a refund', () => {
  const deps = { now: () => noon, findRefund: async () => ({ is: 'unseen' as const }) }

  it('is not recorded while the chain does not answer, nor without a note on how it was made', async () => {
    const hash = `0x${'1'.repeat(64)}`
    expect(await recordRefund({ db, ...deps }, { receipt: 'r_1', transaction: hash })).toMatchObject({
      is: 'refused',
      reason: expect.stringContaining('the RPC does not answer'),
    })
    expect((await recordRefund({ db, ...deps }, { receipt: 'r_1', note: '  ' })).is).toBe('refused')
    expect((await recordRefund({ db, ...deps }, { receipt: 'r_none', note: 'x' })).is).toBe('refused')
  })

  it('that is recorded stays, whatever is reported later', async () => {
    const first = await recordRefund({ db, ...deps }, { receipt: 'r_4', note: 'by hand' })
    expect(await recordRefund({ db, ...deps }, { receipt: 'r_4', note: 'once more' })).toEqual(first)
  })
})

describe('the block list', () => {
  it('accepts wallets in any spelling and IPv6 networks by any address, and nothing else', async () => {
    await block(db, ` ${wallet.toUpperCase().replace('0X', '0x')} `, 'spam', noon)
    await block(db, '2001:DB8:1:2:3:4:5:6', '', noon + 1)
    expect((await listBlocked(db)).map(({ kind, value }) => [kind, value])).toEqual([
      ['address', '2001:db8:1:2'],
      ['wallet', wallet],
    ])
    expect((await listBlocked(db)).map(toBlockedText)).toEqual(['2001:db8:1:2::/64', wallet])
    expect(await block(db, '2001:db8:1:2::/64', '', noon + 2)).toMatchObject({ since: noon + 1 })
    for (const wrong of ['', '0x12', 'example.org', '10.0.0.0/8', '2001:db8::/32', '2001:db8:1:2::1/64'])
      await expect(block(db, wrong, '', noon)).rejects.toThrow('give a wallet')
    expect([
      await unblock(db, '2001:db8:1:2:ffff::'),
      await unblock(db, '2001:db8:1:2'),
      await unblock(db, wallet),
    ]).toEqual([true, false, true])
    await block(db, '2001:db8:1:2::1', '', noon)
    expect(await unblock(db, '2001:db8:1:2::/64')).toBe(true)
  })

  it('keeps the time of an entry that is blocked again, and its reason unless there is a new one', async () => {
    const first = await block(db, wallet, 'spam', noon)
    expect(await block(db, wallet, '', noon + dayMs)).toEqual(first)
    expect(await block(db, wallet, 'more spam', noon + dayMs)).toEqual({ ...first, reason: 'more spam' })
    expect(await listBlocked(db)).toEqual([{ ...first, reason: 'more spam' }])
    await unblock(db, wallet)
  })
})

it('the session cookie of the operator is limited to this host and to TLS', async () => {
  const kept = new Map<string, unknown>()
  const records = {
    keep: async (kind: string, id: string) => void kept.set(kind + id, {}),
    find: async () => undefined,
    forget: async () => {},
  }
  const toCookie = (baseUrl: string) =>
    makeSessions({ records, baseUrl, key: Buffer.from('key'), now: () => noon }).open()
  expect(await toCookie('https://press.example')).toMatch(
    /^__Host-farthing_operator=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Secure; Max-Age=43200$/,
  )
  expect(await toCookie('http://localhost:4020')).toMatch(
    /^farthing_operator=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=43200$/,
  )
})
