import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { AnswerLost } from '../../src/storage/answer-lost.ts'
import { type LedgerDatabase, openLedgerDatabase } from '../../src/storage/open-ledger-database.ts'
import { transact } from '../../src/storage/transact.ts'
import { type PostgresServer, startPostgres } from '../support/postgres-server.ts'
import { pretendChain } from '../support/pretend-chain.ts'
import { signPayment } from '../support/signed-payments.ts'
import { openTestShop } from '../support/test-shop.ts'

/** A server for this file alone, which the tests stop and start. */
let server: PostgresServer
let db: LedgerDatabase
beforeAll(async () => {
  server = await startPostgres()
  db = await openLedgerDatabase('', server.url)
})
afterAll(async () => {
  await db.destroy()
  await server.remove()
})

const open = (): Promise<LedgerDatabase> => openLedgerDatabase('', server.url)
const complaint = async (): Promise<string> => {
  const opened = await open().catch((error: Error) => error)
  if (opened instanceof Error) return opened.message
  await opened.destroy()
  return 'opened'
}

it('sells again by itself after the server was away, and charges nobody meanwhile', async () => {
  const clock = { ms: Date.now() }
  const chain = pretendChain(clock)
  const shop = await openTestShop({ chain, clock, db })
  const pay = () => signPayment({ amount: 100_000n, token: 'a token', validBefore: Math.floor(clock.ms / 1000) + 3000 })
  const first = await pay()
  expect((await shop.buyLeaflet(first.header)).status).toBe(200)
  for (const isCrash of [false, true]) {
    // Idle connections end with the server, which must not end the program.
    await server.stop(isCrash)
    const { header } = await pay()
    const away = await shop.buyLeaflet(header)
    expect([away.status, (await away.json()).charged]).toEqual([503, 'unknown'])
    // The shop says nothing about an earlier payment either.
    expect((await shop.buyLeaflet(first.header)).status).toBe(503)
    await server.start()
    expect((await shop.buyLeaflet(header)).status).toBe(200)
    expect((await shop.buyLeaflet(first.header)).status).toBe(200)
  }
  expect([chain.calls.transfers, (await shop.sales()).count]).toEqual([3, 3])
})

it('rolls back a transaction during which the server ended, and reports that the reply was lost', async () => {
  const write = transact(db, async (tx) => {
    await tx.insertInto('quote_total').values({ day: '2026-11-23', offer_id: 'half', count: 1 }).execute()
    await server.stop(true)
    await tx.insertInto('quote_total').values({ day: '2026-11-23', offer_id: 'other half', count: 1 }).execute()
  })
  await expect(write).rejects.toBeInstanceOf(AnswerLost)
  await server.start()
  expect(await db.selectFrom('quote_total').selectAll().execute()).toEqual([])
})

it('keeps every write that was acknowledged before the server died', async () => {
  const answered: string[] = []
  let isDead = false
  const writers = Array.from({ length: 8 }, async (_, writer) => {
    for (let number = 0; !isDead; number++) {
      const offer_id = `${writer} ${number}`
      const write = db.insertInto('quote_total').values({ day: '2026-11-24', offer_id, count: 1 }).execute()
      await write.then(
        () => answered.push(offer_id),
        () => undefined,
      )
    }
  })
  await expect.poll(() => answered.length).toBeGreaterThan(100)
  await server.stop(true)
  isDead = true
  await Promise.all(writers)
  await server.start()
  const rows = await db.selectFrom('quote_total').select('offer_id').where('day', '=', '2026-11-24').execute()
  const kept = new Set(rows.map(({ offer_id }) => offer_id))
  expect(answered.filter((offer) => !kept.has(offer))).toEqual([])
})

it('refuses a server that does not sync its writes to disk', async () => {
  await server.set('fsync', 'off')
  expect(await complaint()).toMatch(
    /^the ledger in the database postgres at 127\.0\.0\.1:\d+ cannot be used: the server has fsync off/,
  )
  await server.set('fsync', 'on')
  expect(await complaint()).toBe('opened')
})

it('never asks a replica about payments, however it came to be connected to one', async () => {
  await server.stop()
  const mark = join(server.data, 'standby.signal')
  writeFileSync(mark, '', { mode: 0o644 })
  await server.start()
  expect(await complaint()).toMatch(
    /cannot be used: the server is a replica, which may not know the newest payments; name the primary$/,
  )
  // The same holds for programs that were connected to the primary before.
  await expect(db.selectFrom('payment').selectAll().execute()).rejects.toThrow(/is a replica/)
  await server.stop()
  rmSync(mark)
  await server.start()
  expect(await db.selectFrom('sale').select('id').execute()).toHaveLength(3)
})
