import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sandboxAccounts } from '../../src/config/sandbox-accounts.ts'
import { makeReaders } from '../../src/newsletter/readers.ts'
import { type MailServer, openMailServer, password } from '../support/mail-server.ts'
import { type RunningMoney, startMoney } from '../support/money.ts'
import { readMetrics } from '../support/read-metrics.ts'
import { type RunningSite, startSite, testBaseUrl } from '../support/running-site.ts'
import { payingFetch } from '../support/stock-client.ts'
import { openTestLedger } from '../support/test-databases.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'farthing-emails-'))
let money: RunningMoney
let mail: MailServer
let site: RunningSite
const start = () =>
  startSite({
    ...money,
    dataDir,
    env: {
      NODE_EXTRA_CA_CERTS: join(dataDir, 'mail-ca.pem'),
      SMTP_URL: mail.url,
      EMAIL_FROM: 'shop@farthing.test',
      EMAIL_TO: 'me@farthing.test',
      EMAIL_EVENTS: 'payment.settled,payment.doubted,job.failed,gas.low',
    },
  })

beforeAll(async () => {
  ;[money, mail] = await Promise.all([startMoney(), openMailServer()])
  writeFileSync(join(dataDir, 'mail-ca.pem'), mail.caCert)
  site = await start()
})
afterAll(async () => {
  await site?.kill('SIGTERM')
  await mail?.close()
  await money?.stop()
  rmSync(dataDir, { recursive: true, force: true })
})

async function buy(): Promise<string> {
  const answer = await payingFetch(
    sandboxAccounts.buyer.privateKey,
    site.fetch,
  )(`${testBaseUrl}/skills/x402-seller/raw`)
  expect(answer.status).toBe(200)
  return answer.headers.get('x-receipt-id') ?? ''
}
const until = async (isThere: () => boolean): Promise<void> => {
  while (!isThere()) await delay(20)
}

describe('a reader', () => {
  const post = (path: string, fields: Readonly<Record<string, string>>) =>
    site.fetch(path, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' })
  const textAt = async (path: string) => (await site.fetch(path)).text()

  it('subscribes by the form of the page and the link of an e-mail that comes at once', async () => {
    const before = await textAt('/follow')
    expect(before).toMatch(/<form[^>]* action="\/api\/newsletter"[^>]*>/)
    expect(before).toContain('New posts by e-mail, in a feed reader')
    const sent = await post('/api/newsletter', { email: 'reader@farthing.test' })
    expect([sent.status, sent.headers.get('location')]).toEqual([303, '/follow?said=asked'])
    expect(await textAt('/follow?said=asked')).toContain('Check your mail')
    await until(() => mail.got.length === 1)
    const [asked] = mail.got.splice(0)
    expect(asked).toMatchObject({ to: ['reader@farthing.test'], from: 'shop@farthing.test', isEncrypted: true })
    const [, path = '', token = ''] = /(\/follow\?confirm=([\w.-]+))/.exec(asked?.text ?? '') ?? []
    // Mail scanners open links, so that opening the page must not confirm anything.
    const page = await textAt(path)
    expect(page).toContain(`name="token" value="${token}"`)
    const confirmed = await post('/api/newsletter/confirm', { token })
    expect(confirmed.headers.get('location')).toBe('/follow?said=confirmed')
    expect(site.output()).not.toContain(token)
  })

  it('unsubscribes by the page that each letter links to, which deletes the address', async () => {
    const db = await openTestLedger(dataDir)
    try {
      const readers = makeReaders(db)
      const [reader] = await readers.list()
      expect(reader?.email).toBe('reader@farthing.test')
      // Opening the page, as mail scanners do, unsubscribes nobody.
      const page = await textAt(`/follow?leave=${reader?.id}`)
      const [, action = ''] = /<form[^>]* method="post" action="([^"]*\/leave\?[^"]*)"/.exec(page) ?? []
      expect(action).toBe(`/api/newsletter/leave?token=${reader?.id}`)
      expect(await readers.list()).toHaveLength(1)
      const left = await post(action, {})
      expect([left.status, left.headers.get('location')]).toEqual([303, '/follow?said=left'])
      expect(await textAt('/follow?said=left')).toContain('your address has been deleted')
      expect(await readers.find('reader@farthing.test')).toBeUndefined()
      expect(site.output()).not.toContain(reader?.id)
    } finally {
      await db.destroy()
    }
  })
})

describe('the operator', () => {
  it('gets a sale by e-mail with its receipt, and again when the shop was killed before the mail server confirmed it', async () => {
    mail.faults.push({ is: 'silence' })
    const receipt = await buy()
    await until(() => mail.got.length === 1)
    await site.kill('SIGKILL')
    site = await start()
    await until(() => mail.got.length === 2)
    const [once, again] = mail.got
    expect(again?.messageId).toBe(once?.messageId)
    expect(again).toMatchObject({
      subject: 'farthing.test: sold skill/x402-seller for $0.10',
      from: 'shop@farthing.test',
      to: ['me@farthing.test'],
      isEncrypted: true,
    })
    expect(again?.text).toContain(`${testBaseUrl}/receipts/${receipt}`)
  })

  it('gets no e-mail for each further sale at once, and the metrics do not count gathered sales as waiting', async () => {
    await buy()
    await buy()
    const text = await (await fetch(`http://127.0.0.1:${site.port}/metrics`)).text()
    expect(readMetrics(text).value('farthing_emails_waiting')).toBe(0)
    expect(mail.got).toHaveLength(2)
  })

  it('finds no password in the log', () => {
    expect(site.output()).not.toContain(password)
    expect(site.output()).not.toContain(encodeURIComponent(password))
    expect(site.output()).not.toContain('server.error')
  })
})
