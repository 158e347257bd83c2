import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { openBackups } from '../../src/backups/make-backup.ts'
import { network } from '../../src/core/chain-constants.ts'
import { makeLedger } from '../../src/payments/ledger/ledger.ts'
import { makeProductStore } from '../../src/payments/ledger/product-store.ts'
import { newReceiptId } from '../../src/payments/ledger/receipts.ts'
import { openPressJobs } from '../../src/site/open-press-jobs.ts'
import { watchGas } from '../../src/site/watch-gas.ts'
import { keepClock, makeServerClock } from '../../src/storage/lease-clock.ts'
import type { LedgerDatabase } from '../../src/storage/open-ledger-database.ts'
import { announce } from '../../src/webhooks/announce.ts'
import { deliverMessages } from '../../src/webhooks/deliver-messages.ts'
import { forgetMessages } from '../../src/webhooks/forget-messages.ts'
import { makeMessageQueue } from '../../src/webhooks/message-queue.ts'
import { openWebhooks } from '../../src/webhooks/open-webhooks.ts'
import { sendMessage } from '../../src/webhooks/send-message.ts'
import { numberedSale } from '../support/numbered-sale.ts'
import { refuseWrites } from '../support/refuse-writes.ts'
import { openTestLedger } from '../support/test-databases.ts'
import { openWebhookReceiver, type WebhookReceiver } from '../support/webhook-receiver.ts'

const start = Date.UTC(2026, 0, 1)
const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/** A ledger of an installation with or without a receiver. */
async function open({ tells = true } = {}): Promise<LedgerDatabase> {
  const db = await openTestLedger()
  if (tells) await db.insertInto('webhook_receiver').values({ id: 1, since: start }).execute()
  return db
}
const failed = (at: number, job = 'daily-backup') => ({ type: 'job.failed' as const, at, data: { job, error: 'no' } })
const messages = (db: LedgerDatabase) =>
  db.selectFrom('webhook_message').selectAll().orderBy('created_at').orderBy('id').execute()
const typesOf = async (db: LedgerDatabase) =>
  (await messages(db)).map(({ type, body }) => [type, JSON.parse(body).data])

describe('a message', () => {
  it('is queued only if there is a receiver', async () => {
    const [db, silent] = [await open(), await open({ tells: false })]
    await announce(db, failed(start))
    await announce(silent, failed(start))
    expect([await messages(db), await messages(silent)].map(({ length }) => length)).toEqual([1, 0])
  })

  it('is committed together with the change that it reports, or not at all', async () => {
    const db = await open()
    const broken = db.transaction().execute(async (tx) => {
      await announce(tx, failed(start))
      throw new Error('rolled back')
    })
    await expect(broken).rejects.toThrow('rolled back')
    expect(await messages(db)).toEqual([])
  })

  it('is taken in order of time, by one process, and again a little later if that process died', async () => {
    const db = await open()
    await announce(db, failed(start + 1, 'second'))
    await announce(db, failed(start, 'first'))
    const one = makeMessageQueue({ db, channel: 'webhook', random: () => 0.5 })
    const other = makeMessageQueue({ db, channel: 'webhook', random: () => 0.5 })
    const first = await one.take(start + 10)
    const second = await other.take(start + 10)
    expect([first?.body, second?.body].map((body) => JSON.parse(body ?? '').data.job)).toEqual(['first', 'second'])
    expect(await one.take(start + 10 + 14_999)).toBeUndefined()
    const again = await one.take(start + 10 + 15_000)
    expect(again).toMatchObject({ id: first?.id, body: first?.body, attempts: 2 })
  })

  it('is not sent by another process while a slow receiver is responding, but soon after that failed', async () => {
    const db = await open()
    await announce(db, failed(start))
    const one = makeMessageQueue({ db, channel: 'email', random: () => 0.5 })
    await db.updateTable('webhook_message').set({ channel: 'email' }).execute()
    const other = makeMessageQueue({ db, channel: 'email', random: () => 0.5 })
    const taken = await one.take(start)
    // A mail server may take 30 seconds to respond.
    for (const ms of [5_000, 10_000, 29_999]) expect(await other.take(start + ms)).toBeUndefined()
    if (!taken) throw new Error('nothing was taken')
    await one.failed(taken, start + 30_000)
    expect(await other.take(start + 34_999)).toBeUndefined()
    const again = await other.take(start + 35_000)
    expect(again).toMatchObject({ id: taken.id, attempts: 2 })
    // A late outcome of the first process does not affect the attempt of the second.
    await one.failed(taken, start + 35_000)
    expect(await messages(db)).toMatchObject([{ next_at: again?.next_at }])
  })

  it('is retried for three days with growing delays, which are random, so that processes do not collide', async () => {
    const db = await open()
    await announce(db, failed(start))
    const times: number[] = []
    const queue = makeMessageQueue({ db, channel: 'webhook', random: () => 0.5 })
    let at = start
    for (;;) {
      const taken = await queue.take(at)
      if (!taken) break
      times.push(at - start)
      if (times.length === 10) await queue.giveUp(taken)
      else await queue.failed(taken, at)
      at += taken.waitMs
    }
    const waits = times.slice(1).map((time, index) => time - (times[index] ?? 0))
    expect(waits).toEqual(waits.toSorted((a, b) => a - b))
    expect(times.at(-1)).toBeGreaterThan(3 * day)
    expect(times.at(-1)).toBeLessThan(4 * day)
    expect(await messages(db)).toMatchObject([{ state: 'given-up', attempts: 10 }])

    const spread: number[] = []
    for (const random of [0, 0.999]) {
      await announce(db, failed(start))
      spread.push((await makeMessageQueue({ db, channel: 'webhook', random: () => random }).take(start))?.waitMs ?? 0)
    }
    expect(spread).toEqual([4000, 5998])
  })

  it('that failed while the clock was ahead is due once the clock is correct, not at the wrong time', async () => {
    const db = await open()
    await announce(db, failed(start))
    const queue = makeMessageQueue({ db, channel: 'webhook', random: () => 0.999 })
    const ahead = start + 400 * day
    for (let attempt = 0; attempt < 9; attempt++) {
      const taken = await queue.take(ahead + attempt * 2 * day)
      if (!taken) throw new Error(`attempt ${attempt} was not taken`)
      await queue.failed(taken, ahead + attempt * 2 * day)
    }
    // The longest delay that a correct clock can set.
    expect(await queue.take(ahead + 16 * day + 1)).toBeUndefined()
    expect(await queue.take(start + day)).toMatchObject({ attempts: 10 })
  })

  it('is deleted after two weeks, delivered or not', async () => {
    const db = await open()
    await announce(db, failed(start))
    await announce(db, failed(start + day))
    expect(await forgetMessages(db, start + 14 * day)).toBe(0)
    expect(await forgetMessages(db, start + 14 * day + 1)).toBe(1)
    expect(await messages(db)).toHaveLength(1)
  })
})

describe('the operator is told', () => {
  const openLedger = async () => {
    const db = await open()
    const products = makeProductStore('/nonexistent')
    const ledger = makeLedger({ db, products, owner: 'here/1', now: () => start, newReceiptId })
    const { claim, product, transaction } = numberedSale(1)
    const lease = await ledger.claim(claim)
    if (!lease) throw new Error('not claimed')
    await ledger.keepForSettlement(lease, product, 1)
    const paid = { is: 'paid', transaction, logIndex: 0, block: 7 } as const
    return { db, ledger, lease, paid }
  }

  it('of a sale that only the facilitator reports as doubted, and as settled once the chain shows it', async () => {
    const { db, ledger, lease, paid } = await openLedger()
    const { receipt } = await ledger.recordSale(lease, { transaction: paid.transaction })
    const [sale] = await ledger.openSales(network, 1)
    if (!sale) throw new Error('no open sale')
    await ledger.confirmSale(sale, paid, 'mined')
    const [confirmed] = await ledger.openSales(network, 1)
    if (confirmed) await ledger.confirmSale(confirmed, paid, 'final')
    expect((await typesOf(db)).toSorted()).toEqual([
      ['payment.doubted', { receipt, offerId: 'leaflet', doubt: 'not-seen' }],
      ['payment.settled', { receipt, offerId: 'leaflet' }],
    ])
  })

  it('of a sale that the chain lost as doubted', async () => {
    const { db, ledger, lease, paid } = await openLedger()
    const { receipt } = await ledger.recordSale(lease, paid)
    const [sale] = await ledger.openSales(network, 1)
    if (!sale) throw new Error('no open sale')
    expect(await ledger.reverseSale(sale, 'settlement_reversed', true)).toBe(true)
    expect(await ledger.reverseSale(sale, 'settlement_reversed', true)).toBe(false)
    const reversedAt = new Date(start).toISOString()
    expect((await typesOf(db)).toSorted()).toEqual([
      ['payment.doubted', { receipt: { ...receipt, reversedAt }, offerId: 'leaflet', doubt: 'reversed' }],
      ['payment.settled', { receipt, offerId: 'leaflet' }],
    ])
  })

  it('of a scheduled job that failed', async () => {
    const db = await open()
    const dataDir = mkdtempSync(join(tmpdir(), 'farthing-jobs-'))
    const stop = new AbortController()
    const broken = () => Promise.reject(new Error('the chain is away'))
    const jobs = openPressJobs({
      db,
      payments: { reconcile: broken, forget: broken },
      backups: openBackups({ dataDir, folder: join(dataDir, 'backups'), now: Date.now }),
      scan: async () => [],
      publish: async () => ({ published: false }),
      checkCrawlers: async () => null,
      audience: { websub: async () => null, webmentions: async () => null, newsletter: async () => null },
      log: () => {},
      signal: stop.signal,
    })
    jobs.start()
    const isTold = async () => (await typesOf(db)).some(([, { job }]) => job === 'reconcile')
    while (!(await isTold())) await delay(10)
    stop.abort()
    await jobs.close()
    expect(await typesOf(db)).toContainEqual(['job.failed', { job: 'reconcile', error: 'Error: the chain is away' }])
    rmSync(dataDir, { recursive: true })
  })

  it('of low gas once a day, however often programs start', async () => {
    const db = await open()
    let at = start
    const askOwn = async () => ({ settling: true, gas: { settlementsLeft: 7, isLow: true } })
    for (const time of [start, start + hour, start + day]) {
      at = time
      const stop = watchGas({ db, askOwn, now: () => at, log: () => {} })
      await delay(20)
      stop()
    }
    await expect
      .poll(() => typesOf(db))
      .toEqual([
        ['gas.low', { settlementsLeft: 7 }],
        ['gas.low', { settlementsLeft: 7 }],
      ])
  })
})

describe('a receiver that is down', () => {
  afterEach(() => vi.useRealTimers())

  /** Runs a delivery whose clock advances only while it waits. */
  async function deliver(db: LedgerDatabase) {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'], now: start + hour })
    const asked: number[] = []
    const logged: string[] = []
    const stop = new AbortController()
    const ended = deliverMessages({
      queue: makeMessageQueue({ db, channel: 'webhook', random: () => 0.5 }),
      send: async () => {
        asked.push(Date.now())
        return 'the receiver answered 503'
      },
      channel: 'webhook',
      now: Date.now,
      log: (event, fields) => logged.push(`${event} ${'attempt' in fields ? fields.attempt : ''}`),
      signal: stop.signal,
    })
    const isPausing = async () => {
      while (vi.getTimerCount() === 0) await delay(1)
    }
    const pass = async () => {
      await isPausing()
      await vi.advanceTimersToNextTimerAsync()
    }
    return { asked, logged, stop, ended, isPausing, pass }
  }

  it('is tried with growing delays of at most a minute, so that it gets messages soon after it is back', async () => {
    const db = await open()
    for (let at = start; at < start + 20; at++) await announce(db, failed(at))
    const { asked, stop, ended, pass } = await deliver(db)
    while (asked.length < 10) await pass()
    stop.abort()
    await ended
    const seconds = asked.slice(1).map((at, before) => (at - (asked[before] ?? 0)) / 1000)
    expect(seconds).toEqual([2, 4, 8, 16, 32, 60, 60, 60, 60])
  })

  it('gets each message ten times, and the operator is told of each failure and of the end', async () => {
    const db = await open()
    await announce(db, failed(start))
    const { asked, logged, stop, ended, isPausing, pass } = await deliver(db)
    while ((await messages(db))[0]?.state === 'waiting') {
      vi.setSystemTime(Date.now() + 2 * day)
      await pass()
      await isPausing()
    }
    stop.abort()
    await ended
    expect(asked).toHaveLength(10)
    expect(logged).toEqual([...Array.from({ length: 9 }, (_, n) => `webhook.failed ${n + 1}`), 'webhook.given-up 10'])
  })

  it('does not keep the program running between two attempts', async () => {
    const db = await open()
    await announce(db, failed(start))
    const { stop, ended, isPausing } = await deliver(db)
    await isPausing()
    stop.abort()
    expect(await Promise.race([ended.then(() => 'ended'), delay(10_000, 'still waits')])).toBe('ended')
  })
})

describe('a delivery', () => {
  let receiver: WebhookReceiver
  beforeAll(async () => {
    receiver = await openWebhookReceiver()
  })
  afterAll(() => receiver.close())
  const to = () => ({
    url: receiver.env.WEBHOOK_URL,
    key: () => Buffer.from(receiver.env.WEBHOOK_SECRET.slice(6), 'base64'),
  })
  const body = JSON.stringify({ type: 'job.failed', timestamp: new Date(start).toISOString(), data: {} })
  const send = (more: { deadlineMs?: number } = {}) =>
    sendMessage(to(), { id: 'msg_1', body }, { now: Date.now(), signal: new AbortController().signal, ...more })

  it('reports why it failed: a status, a timeout, a lost connection', async () => {
    expect(await send()).toBeUndefined()
    receiver.faults.push({ is: 'answer', status: 410 }, { is: 'cut' }, { is: 'silence' })
    expect(await send()).toBe('the receiver answered 410')
    expect(await send()).toMatch(/^the receiver could not be reached/)
    expect(await send({ deadlineMs: 100 })).toBe('the receiver did not answer in time')
    expect(receiver.wrong).toEqual([])
  })

  it('does not follow a redirect', async () => {
    const elsewhere = await openWebhookReceiver()
    receiver.faults.push({ is: 'answer', status: 307, location: elsewhere.env.WEBHOOK_URL })
    expect(await send()).toBe('the receiver answered 307')
    expect(elsewhere.paths).toEqual([])
    await elsewhere.close()
  })

  it('is aborted when the program stops, and its message waits for the next start', async () => {
    const db = await open()
    await announce(db, failed(Date.now() - 1))
    const stop = new AbortController()
    const logged: string[] = []
    const log = (event: string) => void logged.push(event)
    receiver.heard.length = 0
    receiver.faults.push({ is: 'silence' })
    const webhooks = await openWebhooks({ db, receiver: to(), now: Date.now, log, signal: stop.signal })
    webhooks.start()
    await receiver.until(() => receiver.heard.length === 1)
    stop.abort()
    await webhooks.close()
    expect(logged).toEqual([])
    const [message] = await messages(db)
    expect(message).toMatchObject({ state: 'waiting', attempts: 1 })
    // The message is due at once: the receiver did not fail.
    expect(message?.next_at).toBeLessThanOrEqual(Date.now())
  })

  it('continues after the ledger could not be written for a moment', async () => {
    const db = await open()
    await announce(db, failed(Date.now() - 1))
    const allow = await refuseWrites(db, 'update', 'webhook_message')
    const stop = new AbortController()
    const logged: string[] = []
    const log = (event: string) => void logged.push(event)
    receiver.heard.length = 0
    const webhooks = await openWebhooks({ db, receiver: to(), now: Date.now, log, signal: stop.signal })
    webhooks.start()
    while (logged.length === 0) await delay(10)
    await allow()
    await receiver.until(() => receiver.heard.length === 1)
    stop.abort()
    await webhooks.close()
    expect(new Set(logged)).toEqual(new Set(['server.error']))
  })

  it('is not retried once there is no receiver', async () => {
    const db = await open()
    await openWebhooks({ db, receiver: undefined, now: Date.now, log: () => {}, signal: AbortSignal.abort() })
    await announce(db, failed(start))
    expect(await messages(db)).toEqual([])
  })

  it('leaves a message to the program that is sending it, even if its own clock is a minute ahead', async () => {
    const db = await open()
    await announce(db, failed(Date.now() - 1))
    expect(await makeMessageQueue({ db, channel: 'webhook' }).take(Date.now())).toBeDefined()
    receiver.heard.length = 0
    const stop = new AbortController()
    // Both programs use the clock of the database.
    keepClock(db, { ...makeServerClock(), aheadMs: () => -minute })
    const now = () => Date.now() + minute
    const webhooks = await openWebhooks({ db, receiver: to(), now, log: () => {}, signal: stop.signal })
    webhooks.start()
    await delay(500)
    stop.abort()
    await webhooks.close()
    expect(receiver.heard).toEqual([])
  })

  it('sends the messages of its program at once, even if its clock is a minute ahead of the database', {
    timeout: 20_000,
  }, async () => {
    const db = await open()
    const now = () => Date.now() + minute
    await announce(db, failed(now()))
    receiver.heard.length = 0
    const stop = new AbortController()
    keepClock(db, { ...makeServerClock(), aheadMs: () => -minute })
    const webhooks = await openWebhooks({ db, receiver: to(), now, log: () => {}, signal: stop.signal })
    webhooks.start()
    await receiver.until(() => receiver.heard.length === 1)
    stop.abort()
    await webhooks.close()
    expect(await messages(db)).toMatchObject([{ attempts: 1 }])
  })

  it('raises no alarm for queued messages after the receiver was removed from the settings', async () => {
    const db = await open()
    await announce(db, failed(start))
    const options = { db, now: Date.now, log: () => {}, signal: AbortSignal.abort() }
    const told = await openWebhooks({ ...options, receiver: to() })
    expect(await told.countWaiting()).toBe(1)
    const untold = await openWebhooks({ ...options, receiver: undefined })
    expect(await untold.countWaiting()).toBe(0)
    // They are still sent if a receiver is configured again soon.
    expect(await (await openWebhooks({ ...options, receiver: to() })).countWaiting()).toBe(1)
  })
})
