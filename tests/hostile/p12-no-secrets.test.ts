import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as delay } from 'node:timers/promises'
import { generatePrivateKey } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { sandboxAccounts } from '../../src/config/sandbox-accounts.ts'
import { echoes, startEchoingFacilitator } from '../support/echoing-facilitator.ts'
import {
  type Fault,
  type FaultyFacilitator,
  foreignText,
  startFaultyFacilitator,
} from '../support/faulty-facilitator.ts'
import { type MailServer, openMailServer, password } from '../support/mail-server.ts'
import { type RunningMoney, startMoney } from '../support/money.ts'
import { headerOf, openRawConnections, type RawConnections, toRequest } from '../support/raw-connections.ts'
import { type RunningSite, startSite, testBaseUrl } from '../support/running-site.ts'
import { encodeHeader, sign } from '../support/stock-client.ts'
import { openTraceCollector, type TraceCollector } from '../support/trace-collector.ts'
import { openWebhookReceiver, type WebhookReceiver } from '../support/webhook-receiver.ts'

const path = '/api/x402/agent-seo/bot-catalog'
const packPath = '/api/x402/llms/pack'
const json = 'Content-Type: application/json'
const credential = 'Bearer credential-of-the-operator-0123456789'
const gasKey = generatePrivateKey()
const metricsToken = 'token-of-the-scraper-0123456789'
const env = {
  METRICS_TOKEN: metricsToken,
  FACILITATOR_HEADERS: JSON.stringify({ Authorization: credential }),
  FACILITATOR_PRIVATE_KEY: gasKey,
}

const echoed = z.object({
  payload: z.object({ signature: z.string() }),
  extensions: z.object({ redelivery: z.object({ info: z.object({ token: z.string() }) }) }),
})

/** The secrets that only their owners may see, by name. Hexadecimal ones are searched without their prefix 0x. */
const secrets = new Map<string, string>([
  ['the credential for the facilitator', credential.slice(7)],
  ['the gas key', gasKey.slice(2)],
  ['the token for metrics', metricsToken],
  ["the buyer's key", sandboxAccounts.buyer.privateKey.slice(2)],
  ["the pauper's key", sandboxAccounts.pauper.privateKey.slice(2)],
  ["the facilitator's text", foreignText],
])
/** All responses except the 402s from which payments were signed, because those give the token to the client itself. */
const answers: string[] = []
const sent: string[] = []

let money: RunningMoney
let facilitator: FaultyFacilitator
let echoing: Awaited<ReturnType<typeof startEchoingFacilitator>>
let receiver: WebhookReceiver
let mail: MailServer
let collector: TraceCollector
let sites: RunningSite[] = []
let raw: RawConnections[] = []

/** Signs as the stock client does, and adds what is secret of the payment to `secrets`. */
async function signNew(
  site: RunningSite,
  options: { init?: RequestInit; at?: string; identifier?: string; poor?: boolean } = {},
) {
  const { at = path, init, identifier, poor = false } = options
  const { privateKey } = poor ? sandboxAccounts.pauper : sandboxAccounts.buyer
  const { payload } = await sign(testBaseUrl + at, init, { privateKey, fetch: site.fetch })
  const named = { 'payment-identifier': { info: { required: false, id: identifier } } }
  const whole = { ...payload, extensions: { ...payload.extensions, ...(identifier && named) } }
  const header = encodeHeader(whole)
  const { payload: exact, extensions } = echoed.parse(whole)
  const name = `payment ${secrets.size}`
  const signatureAt = Math.ceil((JSON.stringify(whole).indexOf(exact.signature) * 4) / 3)
  secrets.set(`${name}: signature`, exact.signature.slice(2))
  secrets.set(`${name}: beginning of the signature`, exact.signature.slice(2, 42))
  secrets.set(`${name}: end of the signature`, exact.signature.slice(-40))
  secrets.set(`${name}: header around the signature`, header.slice(signatureAt + 4, signatureAt + 64))
  secrets.set(`${name}: token`, extensions.redelivery.info.token)
  if (identifier) secrets.set(`${name}: identifier`, identifier)
  return { header, whole }
}

async function ask(
  connections: RawConnections,
  request: string | Buffer,
): Promise<{ status: number; receipt: string | undefined }> {
  sent.push(request.toString('latin1'))
  const answer = await connections.ask(request, { alone: true, deadlineMs: 120_000 })
  answers.push(answer.bytes.toString('latin1'), decodeAll(answer.headers.map(([, value]) => value)))
  return { status: answer.status, receipt: headerOf(answer, 'x-receipt-id') }
}

/** The decoded values, because x402 headers are text in Base64. */
const decodeAll = (values: readonly string[]): string =>
  values.map((value) => Buffer.from(value, 'base64').toString('utf8')).join('\n')

const paid = (header: string, target = path): Buffer =>
  toRequest({ method: 'GET', target, lines: [`PAYMENT-SIGNATURE: ${header}`] })

beforeAll(async () => {
  money = await startMoney()
  facilitator = await startFaultyFacilitator({ upstreamUrl: money.facilitatorUrl })
  echoing = await startEchoingFacilitator()
  receiver = await openWebhookReceiver()
  mail = await openMailServer({ tls: 'none' })
  collector = await openTraceCollector()
  const telling = {
    ...receiver.env,
    ...{ SMTP_URL: mail.url, EMAIL_FROM: 'shop@farthing.test', EMAIL_TO: 'me@farthing.test' },
    EMAIL_EVENTS: 'payment.settled',
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
    OTEL_EXPORTER_OTLP_HEADERS: 'api-key=key-of-the-collector-0123456789',
  }
  secrets.set('the key of the collector', 'key-of-the-collector-0123456789')
  secrets.set('the password of the mail server', password)
  secrets.set('the secret of webhooks', receiver.env.WEBHOOK_SECRET.slice(6))
  const { rpcUrl } = money
  sites = await Promise.all(
    [facilitator.url, echoing.url].map((facilitatorUrl) =>
      startSite({ facilitatorUrl, rpcUrl, env: { ...env, ...telling } }),
    ),
  )
  raw = sites.map(({ port }) => openRawConnections(port, { count: 32 }))
})
afterAll(async () => {
  for (const connections of raw) connections.close()
  await Promise.all(sites.map((site) => site.kill('SIGTERM')))
  await receiver?.close()
  await mail?.close()
  await collector?.close()
  await echoing?.close()
  await facilitator?.close()
  await money?.stop()
})

describe.concurrent('a day', () => {
  it('at the shop has sales, refusals and faults', async () => {
    const [site] = sites
    const [shop] = raw
    if (!site || !shop) throw new Error('the site did not start')

    // Purchases, the same delivered again, and their receipts.
    for (const identifier of [undefined, 'order-0123456789-abcdef']) {
      const { header, whole } = await signNew(site, identifier ? { identifier } : {})
      const { status, receipt } = await ask(shop, paid(header))
      expect([status, (await ask(shop, paid(header))).status]).toEqual([200, 200])
      for (const target of [`/api/receipts/${receipt}.json`, `/receipts/${receipt}`, '/api/stats.json'])
        expect((await ask(shop, toRequest({ method: 'GET', target }))).status).toBe(200)
      const { extensions: _, ...onChain } = whole
      expect((await ask(shop, paid(encodeHeader(onChain)))).status).toBe(410)
      expect((await ask(shop, paid(header, '/llms-full.txt'))).status).toBe(402)
    }

    // Refusals: an empty wallet, headers that are nearly right, requests that are not.
    expect((await ask(shop, paid((await signNew(site, { poor: true })).header))).status).toBe(402)
    const { header, whole } = await signNew(site)
    const broken = Buffer.from(JSON.stringify(whole).replace('"signature"', 'signature')).toString('base64')
    for (const wrong of [broken, `${header}!`, `${header}, ${header}`, header.slice(0, -9), header + header])
      expect((await ask(shop, paid(wrong))).status).toBe(402)
    const init = {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"urls":["https://example.com/"]}',
    }
    const pack = await signNew(site, { at: packPath, init })
    for (const body of [
      '{',
      '{"urls":7}',
      `{"urls":["https://example.com/"],"${header.slice(0, 60)}":"${pack.header}"}`,
      pack.header,
    ]) {
      const lines = [json, `PAYMENT-SIGNATURE: ${pack.header}`]
      expect((await ask(shop, toRequest({ method: 'POST', target: packPath, lines, body }))).status).toBe(400)
    }
    const text = paid(header).toString('latin1')
    const mangled = [
      [text.replaceAll('\r\n', '\n'), 400],
      [text.replace('Host: farthing.test\r\n', ''), 400],
      [text.replace('Host:', 'Bad Header:'), 400],
      [text.replace('\r\n\r\n', `\r\nX-Filler: ${'a'.repeat(33_000)}\r\n\r\n`), 431],
      [text.replace('GET', 'TRACE'), 405],
      [text.replace('GET', 'DELETE'), 405],
      [text.replace(path, `${path}/?payment=x`), 404],
      [text.replace(path, `/%00${path}`), 404],
      [text.replace(path, '/about/'), 308],
    ] as const
    for (const [request, status] of mangled) expect((await ask(shop, request)).status).toBe(status)

    // Faults, all at once: each waits for the chain.
    const faults: Fault[] = [
      'garbage',
      'status-500-before',
      'redirect',
      'drop-after',
      'refused',
      'lie-transaction',
      'pending',
    ]
    const victims = await Promise.all(faults.map(() => signNew(site)))
    facilitator.faults.settle.push(...faults)
    const statuses = await Promise.all(victims.map(async (victim) => (await ask(shop, paid(victim.header))).status))
    expect(statuses.filter((status) => status === 503).length).toBeGreaterThanOrEqual(5)
    await Promise.all(victims.map((victim) => ask(shop, paid(victim.header))))
  })

  it('with a facilitator that repeats what it is sent has no sale', async () => {
    const [, site] = sites
    const [, shop] = raw
    if (!site || !shop) throw new Error('the site did not start')
    // The facilitator repeats everything that it is sent.
    const repeated = await Promise.all(echoes.map(() => signNew(site)))
    for (const [index, victim] of repeated.entries()) {
      echoing.next = echoes[index] ?? 'error'
      expect([402, 503]).toContain((await ask(shop, paid(victim.header))).status)
      await delay(10)
    }

    // The ledger fails.
    const ledger = new DatabaseSync(join(site.dataDir, 'ledger.db'))
    ledger.exec('alter table payment rename to gone')
    expect((await ask(shop, paid((await signNew(site)).header))).status).toBe(503)
    ledger.exec('alter table gone rename to payment')
    ledger.close()
  })
})

const found = (haystack: string): string[] =>
  [...secrets].filter(([, secret]) => haystack.toLowerCase().includes(secret.toLowerCase())).map(([name]) => name)

describe('nobody can read', () => {
  it('(the search finds a secret where there is one)', () => {
    const headers = [...sent.join('\n').matchAll(/PAYMENT-SIGNATURE: (\S+)/g)].map(([, value = '']) => value)
    const known = new Set([...found(sent.join('\n')), ...found(decodeAll(headers))])
    expect([...secrets.keys()].filter((name) => name.startsWith('payment ') && !known.has(name))).toEqual([])
    expect(known.size).toBeGreaterThan(80)
  })

  it('a secret in what the site prints', () => {
    for (const site of sites) {
      expect(site.output()).toContain('"event":')
      expect(found(site.output())).toEqual([])
    }
  })

  it('a secret in webhooks and metrics', async () => {
    expect(receiver.heard.map(({ type }) => type)).toContain('payment.settled')
    expect(found(receiver.heard.map(({ body }) => body).join('\n'))).toEqual([])
    for (const site of sites) {
      const metrics = await (await site.fetch('/metrics')).text()
      expect(metrics).toContain('farthing_payment_events_total')
      expect(found(metrics)).toEqual([])
    }
  })

  it('a secret in e-mails and traces', async () => {
    await collector.until(() => collector.spans.some(({ name }) => name === 'settle'))
    const told = [...mail.got.map(({ raw }) => raw), ...collector.asked.map(({ body }) => body)]
    expect(mail.got.length).toBeGreaterThan(0)
    expect(found(told.join('\n'))).toEqual([])
  })

  it('a secret in any response, its headers and redirects included', () => {
    expect(answers.length).toBeGreaterThan(80)
    expect(found(answers.join('\n'))).toEqual([])
  })

  it('a secret in the files the site keeps', () => {
    for (const { dataDir } of sites)
      for (const item of readdirSync(dataDir, { recursive: true, withFileTypes: true }))
        if (item.isFile()) {
          const file = join(item.parentPath, item.name)
          expect([file, found(readFileSync(file, 'latin1'))]).toEqual([file, []])
        }
  })
})
