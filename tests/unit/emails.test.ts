import { readFileSync } from 'node:fs'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { readConfig } from '../../src/config/config.ts'
import { advice } from '../../src/email/advice.ts'
import { openEmails } from '../../src/email/open-emails.ts'
import { sendEmail } from '../../src/email/send-email.ts'
import { writeEmail } from '../../src/email/write-email.ts'
import type { LedgerDatabase } from '../../src/storage/open-ledger-database.ts'
import { announce } from '../../src/webhooks/announce.ts'
import { makeMessageQueue } from '../../src/webhooks/message-queue.ts'
import { figure, seed } from '../support/figures.ts'
import { hostileText } from '../support/hostile-text.ts'
import { type MailServer, openMailServer, password } from '../support/mail-server.ts'
import { openTestLedger } from '../support/test-databases.ts'

const start = Date.UTC(2026, 0, 1)
const minute = 60_000
const baseUrl = 'https://shop.example'
const never = new AbortController().signal

const receipt = {
  id: 'r_0123456789abcdef',
  path: '/leaflet',
  product: 'A leaflet',
  amountMicroUsd: '100000',
  asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  network: 'eip155:8453',
  payTo: '0x1111111111111111111111111111111111111402',
  payer: '0x2222222222222222222222222222222222221402',
  transaction: `0x${'ab'.repeat(32)}`,
  settledAt: '2026-11-20T08:00:00.000Z',
}
const sold = (at: number) => ({ type: 'payment.settled' as const, at, data: { receipt, offerId: 'leaflet' } })
const failed = (at: number) => ({ type: 'job.failed' as const, at, data: { job: 'daily-backup', error: 'no room' } })
const toBody = ({ type, data }: { type: string; data: object }) =>
  JSON.stringify({ type, timestamp: new Date(start).toISOString(), data })

const settings = ({ url, port }: Pick<MailServer, 'url' | 'port'>, more: Record<string, string> = {}) => {
  const env = { SMTP_URL: url, EMAIL_FROM: 'shop@shop.example', EMAIL_TO: 'me@shop.example, you@shop.example' }
  const { email } = readConfig({ ...env, ...more })
  if (!email) throw new Error(`no e-mail by port ${port}`)
  return email
}

describe('the queue of e-mails', () => {
  const open = async (events: readonly string[]): Promise<LedgerDatabase> => {
    const db = await openTestLedger()
    await db
      .insertInto('email_receiver')
      .values({ id: 1, since: start, events: JSON.stringify(events) })
      .execute()
    return db
  }
  const kept = async (db: LedgerDatabase) =>
    (await db.selectFrom('webhook_message').selectAll().orderBy('created_at').execute()).map(
      ({ channel, type }) => `${channel} ${type}`,
    )

  it('has the events that the operator chose, beside the webhooks and with ids of its own', async () => {
    const db = await open(['job.failed'])
    await announce(db, sold(start))
    await announce(db, failed(start + 1))
    expect(await kept(db)).toEqual(['email job.failed'])
    await db.insertInto('webhook_receiver').values({ id: 1, since: start }).execute()
    for (const at of [start + 2, start + 3]) await announce(db, { ...failed(at), once: 'today' })
    expect((await kept(db)).toSorted()).toEqual(['email job.failed', 'email job.failed', 'webhook job.failed'])
  })

  it('is separate from that of webhooks: each channel takes its own messages', async () => {
    const db = await open(['job.failed'])
    await db.insertInto('webhook_receiver').values({ id: 1, since: start }).execute()
    await announce(db, failed(start))
    const [hooks, mails] = [makeMessageQueue({ db, channel: 'webhook' }), makeMessageQueue({ db, channel: 'email' })]
    expect([(await hooks.take(start))?.channel, await hooks.take(start)]).toEqual(['webhook', undefined])
    expect([(await mails.take(start))?.channel, await mails.take(start)]).toEqual(['email', undefined])
    expect([await hooks.countWaiting(), await mails.countWaiting()]).toEqual([1, 1])
  })

  it('combines the sales of fifteen minutes into one e-mail for good, while alarms never wait', async () => {
    const db = await open(['payment.settled', 'job.failed'])
    const queue = makeMessageQueue({
      db,
      channel: 'email',
      gathers: { type: 'payment.settled', everyMs: 15 * minute },
      random: () => 0.5,
    })
    await announce(db, sold(start))
    const first = await queue.take(start)
    expect(first?.others).toEqual([])
    if (first) await queue.delivered(first)

    for (const at of [1, 2, 3]) await announce(db, sold(start + at))
    expect(await queue.countWaiting()).toBe(0)
    await announce(db, failed(start + 4))
    const alarm = await queue.take(start + minute)
    expect(alarm?.type).toBe('job.failed')
    if (alarm) await queue.delivered(alarm)
    expect(await queue.take(start + minute)).toBeUndefined()

    const later = start + 15 * minute
    const digest = await queue.take(later)
    expect(digest?.others).toHaveLength(2)
    // A failed attempt is repeated under the same id with the same content, whatever is sold meanwhile.
    await announce(db, sold(later))
    if (digest) await queue.failed(digest, later)
    const again = await queue.take(later + 6000)
    expect([again?.id, again?.attempts, again?.others.length]).toEqual([digest?.id, 2, 2])
    if (again) await queue.delivered(again)
    expect((await queue.take(later + 30 * minute))?.others).toEqual([])
    expect(await queue.take(later + 30 * minute)).toBeUndefined()
    await db.destroy()
  })
})

it('reports each sale once, even when two programs collect them at the same time, and a hundred at a time', async () => {
  const db = await openTestLedger()
  const events = JSON.stringify(['payment.settled'])
  await db.insertInto('email_receiver').values({ id: 1, since: start, events }).execute()
  for (let at = start; at < start + 150; at++) await announce(db, sold(at))
  const gathers = { type: 'payment.settled', everyMs: 15 * minute } as const
  const queues = [1, 2].map(() => makeMessageQueue({ db, channel: 'email', gathers }))
  const taken = await Promise.all(queues.map((queue) => queue.take(start + 200)))
  const [first, ...more] = taken.filter((each) => each !== undefined)
  expect([first?.others.length, more]).toEqual([99, []])
  const [second] = (await Promise.all(queues.map((queue) => queue.take(start + 15 * minute + 200)))).flatMap(
    (each) => each ?? [],
  )
  expect(second?.others).toHaveLength(49)
  await db.destroy()
})

it('reports sales at most fifteen minutes after the last one, even when the clock was set back meanwhile', async () => {
  const db = await openTestLedger()
  const events = JSON.stringify(['payment.settled'])
  await db.insertInto('email_receiver').values({ id: 1, since: start, events }).execute()
  const gathers = { type: 'payment.settled', everyMs: 15 * minute } as const
  const queue = makeMessageQueue({ db, channel: 'email', gathers })
  const ahead = start + 24 * 60 * minute
  await announce(db, sold(ahead))
  expect((await queue.take(ahead))?.others).toEqual([])
  for (const at of [start, start + 1]) await announce(db, sold(at))
  expect((await queue.take(start + 1))?.others).toHaveLength(1)
  await announce(db, sold(start + 2))
  expect(await queue.take(start + 2)).toBeUndefined()
  expect((await queue.take(start + 1 + 15 * minute))?.others).toEqual([])
  await db.destroy()
})

describe('an e-mail', () => {
  it('says what happened, for how much, with its receipt, what it means and what to do', () => {
    const doubted = { type: 'payment.doubted', data: { receipt, offerId: 'leaflet', doubt: 'reversed' } }
    const { subject, text } = writeEmail([toBody(doubted)], baseUrl)
    expect(subject).toBe('shop.example: the chain lost the transfer of a sale: leaflet')
    for (const said of ['leaflet', '$0.10', `${baseUrl}/receipts/${receipt.id}`, receipt.transaction])
      expect(text).toContain(said)
    expect(text).toContain(advice.reversed.todo)
    expect(writeEmail([toBody(failed(start))], baseUrl).text).toMatch(
      /daily-backup failed[\s\S]*no room[\s\S]*NAME runs it now/,
    )
    const gas = { type: 'gas.low', data: { settlementsLeft: 7 } }
    expect(writeEmail([toBody(gas)], baseUrl).subject).toBe('shop.example: the gas wallet pays for 7 more settlements')
  })

  it('reports several sales at once, with their sum', () => {
    const { subject, text } = writeEmail([toBody(sold(start)), toBody(sold(start))], baseUrl)
    expect(subject).toBe('shop.example: 2 sales for $0.20')
    expect(text.match(/Receipt: /g)).toHaveLength(2)
    expect(writeEmail([toBody(sold(start))], baseUrl).subject).toBe('shop.example: sold leaflet for $0.10')
  })

  it('gives the same advice as the document for operators', () => {
    const dayTwo = readFileSync('docs/day-two.md', 'utf8').replaceAll('`', '')
    const rows = dayTwo.split('\n').map((line) => line.split('|').map((cell) => cell.trim()))
    for (const { meaning, todo } of Object.values(advice))
      expect(
        rows.some((cells) => cells.includes(meaning) && cells.includes(todo)),
        todo,
      ).toBe(true)
  })

  it('keeps the name of a product or an error on one line, whatever it contains', () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        const body = { type: 'job.failed', data: { job: text, error: text } }
        const written = writeEmail([toBody(body)], baseUrl)
        expect(written.subject).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u)
        expect(written.text.split('\n')).toHaveLength(
          writeEmail([toBody(failed(start))], baseUrl).text.split('\n').length,
        )
      }),
      { numRuns: figure(50, 2000), ...seed },
    )
  })
})

describe('a mail server', () => {
  const trusted = getCACertificates('default')
  let server: MailServer
  let upgrading: MailServer
  beforeAll(async () => {
    ;[server, upgrading] = await Promise.all([openMailServer(), openMailServer({ tls: 'starttls' })])
    setDefaultCACertificates([...trusted, server.caCert, upgrading.caCert])
  })
  beforeEach(() => {
    server.got.length = 0
    server.faults.length = 0
  })
  afterAll(async () => {
    setDefaultCACertificates(trusted)
    await Promise.all([server.close(), upgrading.close()])
  })
  const mail = { messageId: '<mail_1@shop.example>', from: 'shop@shop.example', to: ['me@shop.example'] }
  const plain = { ...mail, subject: 'A subject', text: 'A text\n' }
  const send = (more: object = {}, deadlineMs?: number) =>
    sendEmail(settings(server).server, { ...plain, ...more }, { signal: never, ...(deadlineMs && { deadlineMs }) })

  it('receives it over TLS and with the password', async () => {
    expect(await send()).toBeUndefined()
    expect(server.got).toMatchObject([
      {
        subject: 'A subject',
        text: 'A text\n',
        messageId: mail.messageId,
        to: mail.to,
        user: 'shop',
        isEncrypted: true,
      },
    ])
  })

  it('is asked for STARTTLS, and gets nothing without it', async () => {
    const { server: settled } = settings(upgrading)
    const starttls = { ...settled, tls: 'starttls' as const }
    expect(await sendEmail(starttls, plain, { signal: never })).toBeUndefined()
    expect(upgrading.got).toMatchObject([{ isEncrypted: true }])
    const bare = await openMailServer({ tls: 'none' })
    const toBare = { ...starttls, port: bare.port }
    expect(await sendEmail(toBare, plain, { signal: never })).toMatch(/^the mail could not be handed in/)
    expect(bare.got).toEqual([])
    // A server on this machine may be used without encryption.
    expect(await sendEmail(settings(bare).server, plain, { signal: never })).toBeUndefined()
    await bare.close()
  })

  it('without a valid certificate gets nothing', async () => {
    const strange = await openMailServer()
    expect(await sendEmail(settings(strange).server, plain, { signal: never })).toMatch(
      /^the mail could not be handed in/,
    )
    expect(strange.got).toEqual([])
    await strange.close()
  })

  it('is quoted when it refuses, without the password', async () => {
    server.faults.push(
      { is: 'greeting', status: 421 },
      { is: 'recipient', status: 550 },
      { is: 'cut' },
      { is: 'silence' },
    )
    expect(await send()).toBe('the mail server answered 421 5.7.1')
    expect(await send()).toBe('the mail server answered 550 5.7.1')
    expect(await send()).toMatch(/^the mail could not be handed in \(\w+\)$/)
    expect(await send({}, 3000)).toBe('the mail server did not answer in time')
    const wrong = settings({ ...server, url: server.url.replace('shop:', 'shop:wrong-') })
    expect(await sendEmail(wrong.server, plain, { signal: never })).toMatch(/^the mail server answered 535/)
  })

  it('is done when it accepts one of several recipients, who would otherwise get each retry', async () => {
    server.faults.push({ is: 'recipient', status: 550 })
    expect(await send({ to: ['gone@shop.example', 'me@shop.example'] })).toBeUndefined()
    expect(server.got).toMatchObject([{ to: ['me@shop.example'] }])
    server.faults.push({ is: 'recipient', status: 450 }, { is: 'recipient', status: 550 })
    expect(await send({ to: ['gone@shop.example', 'away@shop.example'] })).toMatch(
      /^the mail server answered [45]50 5\.7\.1$/,
    )
    expect(server.got).toHaveLength(1)
  })

  it('receives no injected header, whatever was sold and whatever failed', async () => {
    const evil = 'x\r\nBcc: victim@evil.example\r\n\r\n.\r\nMAIL FROM:<a@b.c>\n<b>\u2028Bcc: v@evil.example 𝕏'
    const written = writeEmail([toBody({ type: 'job.failed', data: { job: evil, error: evil } })], baseUrl)
    // Checked by the sender as well as by the writer of the message.
    expect(await send({ ...written, subject: `${written.subject}\r\nBcc: victim@evil.example` })).toBeUndefined()
    const [got] = server.got
    expect(server.got).toHaveLength(1)
    expect(got?.to).toEqual(mail.to)
    const names = got?.headers.map((line) => line.split(':', 1)[0]?.toLowerCase()).toSorted()
    expect(names).toEqual(
      [
        ...['auto-submitted', 'content-transfer-encoding', 'content-type', 'date'],
        ...['from', 'message-id', 'mime-version', 'subject', 'to'],
      ].toSorted(),
    )
    expect(got?.text).toBe(written.text)
  })

  it('receives a retry under the same Message-ID, once per message', async () => {
    const db = await openTestLedger()
    const stop = new AbortController()
    const logged: string[] = []
    const log = (event: string) => void logged.push(event)
    // Time runs faster, so that an attempt is due as soon as the one before failed.
    let steps = 0
    const now = () => start + steps++ * minute * 60
    const emails = await openEmails({ db, email: settings(server), baseUrl, now, log, signal: stop.signal })
    await announce(db, failed(start))
    server.faults.push({ is: 'cut' }, { is: 'greeting', status: 421 })
    emails.start()
    while ((await emails.countWaiting()) > 0) await new Promise((resolve) => setTimeout(resolve, 20))
    stop.abort()
    await emails.close()
    expect(logged).toEqual(['email.failed', 'email.failed'])
    expect(server.got).toHaveLength(2)
    expect(new Set(server.got.map(({ messageId }) => messageId)).size).toBe(1)
    expect(server.got[0]).toMatchObject({ to: ['me@shop.example', 'you@shop.example'], from: 'shop@shop.example' })
    await db.destroy()
  })

  it('that was removed from the settings leaves no queued message that would raise an alarm', async () => {
    const db = await openTestLedger()
    const options = { db, baseUrl, now: Date.now, log: () => {}, signal: AbortSignal.abort() }
    const told = await openEmails({ ...options, email: settings(server) })
    await announce(db, failed(Date.now() - 1))
    expect(await told.countWaiting()).toBe(1)
    expect(await (await openEmails({ ...options, email: undefined })).countWaiting()).toBe(0)
  })

  it('that does not respond does not keep the program running, and the message waits for the next start', async () => {
    const db = await openTestLedger()
    const stop = new AbortController()
    const emails = await openEmails({
      db,
      email: settings(server),
      baseUrl,
      now: Date.now,
      log: () => {},
      signal: stop.signal,
    })
    await announce(db, failed(Date.now() - 1))
    server.faults.push({ is: 'silence' })
    emails.start()
    while (server.got.length === 0) await new Promise((resolve) => setTimeout(resolve, 5))
    stop.abort()
    await emails.close()
    expect(await emails.countWaiting()).toBe(1)
    await openEmails({ db, email: undefined, baseUrl, now: Date.now, log: () => {}, signal: stop.signal })
    await announce(db, failed(Date.now()))
    expect(await emails.countWaiting()).toBe(1)
    await db.destroy()
  })
})

describe('the settings of e-mail', () => {
  const complete = { SMTP_URL: 'smtp://mail.example', EMAIL_FROM: 'a@b.example', EMAIL_TO: 'c@d.example' }

  it('are for alarms only by default, and never print the password', () => {
    const email = settings({ url: `smtps://shop:${encodeURIComponent(password)}@mail.example`, port: 465 })
    expect(email).toMatchObject({ events: ['payment.doubted', 'job.failed', 'gas.low'], server: { port: 465 } })
    expect(email.server.login()).toEqual({ user: 'shop', pass: password })
    expect(JSON.stringify(email)).not.toContain('correct')
    expect(settings({ url: 'smtp://mail.example', port: 587 }).server).toMatchObject({ tls: 'starttls', port: 587 })
    expect(settings({ url: 'smtp://localhost:25', port: 25 }).server).toMatchObject({ tls: 'none', port: 25 })
    expect(readConfig({}).email).toBeUndefined()
  })

  it.each([
    [{ EMAIL_TO: '' }, 'EMAIL_TO must be set'],
    [{ SMTP_URL: '' }, 'SMTP_URL must be set'],
    [{ SMTP_URL: 'https://secret-word@mail.example' }, 'SMTP_URL must be an address like'],
    [{ SMTP_URL: 'smtps://shop:secret-word@mail.example/path' }, 'SMTP_URL must be an address like'],
    [{ SMTP_URL: 'smtps://shop:secret-word%@mail.example' }, 'SMTP_URL must be an address like'],
    [{ SMTP_URL: 'smtps://secret-word@mail.example' }, 'SMTP_URL must have both'],
    [{ EMAIL_FROM: 'a@b.example\r\nBcc: x@evil.example' }, 'EMAIL_FROM must be an e-mail address'],
    [{ EMAIL_TO: 'Me <me@b.example>' }, 'EMAIL_TO must be an e-mail address'],
    [{ EMAIL_EVENTS: 'payment.settled,sale' }, 'EMAIL_EVENTS must be a list of'],
  ])('refuse %j with a sentence that names the setting, without the password', (wrong, said) => {
    const read = () => readConfig({ ...complete, ...wrong })
    expect(read).toThrow(said)
    expect(read).not.toThrow('secret-word')
  })
})
