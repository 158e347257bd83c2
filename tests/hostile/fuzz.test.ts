import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { sandboxAccounts } from '../../src/config/sandbox-accounts.ts'
import type { Offer } from '../../src/offers/offer.ts'
import { figure, limitMs, seed } from '../support/figures.ts'
import { fuzzedBody, fuzzedQuery, spoil } from '../support/fuzzed-input.ts'
import { type RunningMoney, startMoney } from '../support/money.ts'
import { signFor } from '../support/paid-request.ts'
import {
  openRawConnections,
  type RawAnswer,
  type RawConnections,
  textOf,
  toRequest,
} from '../support/raw-connections.ts'
import { type RunningSite, startSite } from '../support/running-site.ts'
import { encodeHeader, type SignedPayment } from '../support/signed-payments.ts'
import { isPost, testedOffers } from '../support/tested-offers.ts'

const requests = figure(1000, 200_000)
const perRun = 16
const offers = testedOffers()

let money: RunningMoney
let site: RunningSite
let raw: RawConnections
const payments = new Map<string, SignedPayment>()
beforeAll(async () => {
  money = await startMoney()
  site = await startSite({ ...money, program: 'tests/hostile/watched-site.ts' })
  raw = openRawConnections(site.port, { count: perRun })
  // The wallet is empty, so that even a payment that comes through unchanged buys nothing.
  for (const offer of offers)
    payments.set(
      offer.id,
      await signFor(offer, { validBefore: 4_000_000_000, privateKey: sandboxAccounts.pauper.privateKey }),
    )
})
afterAll(async () => {
  raw?.close()
  await site?.kill('SIGTERM')
  await money?.stop()
})

const byte = fc
  .integer({ min: 32, max: 255 })
  .filter((code) => code !== 127)
  .map((code) => String.fromCharCode(code))
const headerText = fc.string({ unit: byte, maxLength: 60 })
const names = [
  ...['Accept', 'Accept-Encoding', 'Accept-Language', 'Authorization', 'Cache-Control', 'Connection', 'Cookie', 'Date'],
  ...['Expect', 'If-Match', 'If-Modified-Since', 'If-None-Match', 'If-Range', 'Origin', 'Range', 'Referer', 'TE'],
  ...['Forwarded', 'X-Forwarded-For', 'X-Forwarded-Proto', 'X-HTTP-Method-Override', 'X-PAYMENT', 'X-Request-Id'],
  ...['PAYMENT-RESPONSE', 'Sec-Fetch-Mode', 'Access-Control-Request-Method', 'User-Agent', 'Via', 'Content-Encoding'],
]
const headerLine = fc
  .tuple(fc.oneof(fc.constantFrom(...names), fc.stringMatching(/^[A-Za-z-]{1,20}$/)), headerText)
  .map(([name, value]) => `${name}: ${value}`)
const paymentOf = (offer: Offer): fc.Arbitrary<string | undefined> => {
  // Looked up when a value is drawn, because nothing is signed yet when the arbitrary is made.
  const signed = fc.constant(null).map(() => payments.get(offer.id)?.payload)
  return fc.oneof(
    { weight: 2, arbitrary: fc.constant(undefined) },
    { weight: 5, arbitrary: signed.map(encodeHeader) },
    { weight: 3, arbitrary: signed.chain(spoil).map(encodeHeader) },
    headerText,
    fc.json().map((text) => Buffer.from(text).toString('base64')),
    fc.uint8Array({ maxLength: 100 }).map((bytes) => Buffer.from(bytes).toString('base64')),
  )
}

interface Sent {
  method: string
  target: string
  bytes: Buffer
}

const contentTypes = [
  'application/json',
  'application/json; charset=utf-8',
  'text/plain',
  'APPLICATION/JSON;;',
  'multipart/form-data',
]
const withBody = offers.filter(isPost)
const anyRequest: fc.Arbitrary<Sent> = fc.constantFrom(...offers, ...withBody, ...withBody).chain((offer) =>
  fc
    .record({
      method: fc.oneof(
        { weight: 4, arbitrary: fc.constant<string>(offer.method) },
        fc.constantFrom('GET', 'HEAD', 'POST', 'PUT'),
      ),
      query: fuzzedQuery,
      lines: fc.array(headerLine, { maxLength: 6 }),
      type: fc.oneof({ weight: 3, arbitrary: fc.constant('application/json') }, fc.constantFrom(...contentTypes)),
      payment: paymentOf(offer),
      body: fc.option(fuzzedBody(offer), { nil: undefined }),
    })
    .map(({ method, query, lines, type, payment, body }) => {
      const target = offer.path + query
      const paid = payment === undefined ? [] : [`PAYMENT-SIGNATURE: ${payment}`]
      const all = [...lines, ...paid, ...(body ? [`Content-Type: ${type}`] : [])]
      return { method, target, bytes: toRequest({ method, target, lines: all, ...(body && { body }) }) }
    }),
)

/** Whether the response is sound: nothing is sold, and the request alone has caused no failure. */
function isSound({ method }: Pick<Sent, 'method'>, answer: RawAnswer): boolean {
  const isDeclaredOnly = answer.status === 503 && textOf(answer).includes('/problems/not-available-yet')
  const isLanding =
    answer.status === 200 && textOf(answer).length < 5000 && answer.headers.every(([name]) => name !== 'x-receipt-id')
  return (answer.status >= 400 && answer.status < 500) || isDeclaredOnly || (isLanding && method !== 'POST')
}

const show = ({ status, bytes }: RawAnswer): string => `${status}: ${bytes.toString('latin1').slice(0, 600)}`

it(`responds to any request on its paid routes without failing or giving anything away (${requests} requests)`, {
  timeout: limitMs(600_000, 3_600_000),
}, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyRequest, { minLength: perRun, maxLength: perRun }), async (batch) => {
      // An odd header (Connection, Expect, Content-Encoding) may change where the next request on a connection begins.
      const answers = await Promise.all(batch.map(({ bytes }) => raw.ask(bytes, { alone: true, deadlineMs: 10_000 })))
      const wrong = answers.findIndex((answer, index) => !isSound(batch[index] ?? { method: '' }, answer))
      if (wrong >= 0)
        throw new Error(
          `${batch[wrong]?.bytes.toString('latin1')}\n\nwas answered\n\n${show(answers[wrong] as RawAnswer)}`,
        )
    }),
    { numRuns: Math.ceil(requests / perRun), ...seed },
  )
})

it(`survives requests with bytes changed, lost and doubled anywhere (${requests / 4} requests)`, {
  timeout: limitMs(600_000, 3_600_000),
}, async () => {
  const change = fc.record({ at: fc.nat(), byte: fc.nat(255), is: fc.constantFrom('change', 'lose', 'double', 'cut') })
  const mangled = fc
    .tuple(anyRequest, fc.array(change, { minLength: 1, maxLength: 4 }))
    .map(([{ method, target, bytes }, changes]) => ({
      method,
      target,
      bytes: changes.reduce((whole, { at, byte, is }) => {
        const place = whole.length === 0 ? 0 : at % whole.length
        const [head, tail] = [whole.subarray(0, place), whole.subarray(place)]
        if (is === 'cut') return Buffer.concat([head, Buffer.from('\r\n\r\n')])
        if (is === 'double') return Buffer.concat([head, tail.subarray(0, 20), tail])
        return Buffer.concat([head, ...(is === 'change' ? [Buffer.from([byte])] : []), tail.subarray(1)])
      }, bytes),
    }))
  await fc.assert(
    fc.asyncProperty(fc.array(mangled, { minLength: perRun, maxLength: perRun }), async (batch) => {
      const answers = await Promise.all(batch.map(({ bytes }) => raw.ask(bytes, { alone: true, deadlineMs: 200 })))
      // The site waits for the rest of half a request, and another path may be a free page: only a 5xx is wrong.
      const wrong = answers.findIndex(
        (answer) => answer.status >= 500 && !textOf(answer).includes('/problems/not-available-yet'),
      )
      if (wrong >= 0)
        throw new Error(
          `${batch[wrong]?.bytes.toString('latin1')}\n\nwas answered\n\n${show(answers[wrong] as RawAnswer)}`,
        )
    }),
    { numRuns: Math.ceil(requests / 4 / perRun), ...seed },
  )
})

it('made, sold and broke nothing meanwhile', async () => {
  expect(site.output()).not.toMatch(/made|server\.error|sale\./)
  expect(await money.transfersTo()).toEqual([])
  expect((await site.fetch('/readyz')).status).toBe(200)
})
