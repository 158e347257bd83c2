import { setTimeout as delay } from 'node:timers/promises'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Offer, priceOf } from '../../src/offers/offer.ts'
import { expectChallenge, expectProblem, pointersOf, readProblem } from '../support/expect-refusal.ts'
import { type FaultyFacilitator, startFaultyFacilitator } from '../support/faulty-facilitator.ts'
import { fund } from '../support/hostile-wallets.ts'
import { type RunningMoney, startMoney } from '../support/money.ts'
import { exampleOf, json, paidRequest, signFor, type Wrong } from '../support/paid-request.ts'
import {
  headerOf,
  openRawConnections,
  type RawAnswer,
  type RawConnections,
  textOf,
  toRequest,
} from '../support/raw-connections.ts'
import { leaveInTheMiddle, pourChunks } from '../support/rude-clients.ts'
import { type RunningSite, startSite, testBaseUrl } from '../support/running-site.ts'
import { encodeHeader, type PaymentWish, type SignedPayment } from '../support/signed-payments.ts'
import { decodeHeader } from '../support/stock-client.ts'
import { isAtHand, isPost, testedOffers } from '../support/tested-offers.ts'

const offers = testedOffers()

let money: RunningMoney
let facilitator: FaultyFacilitator
let site: RunningSite
let raw: RawConnections
beforeAll(async () => {
  money = await startMoney()
  facilitator = await startFaultyFacilitator({ upstreamUrl: money.facilitatorUrl })
  site = await startSite({
    facilitatorUrl: facilitator.url,
    rpcUrl: money.rpcUrl,
    program: 'tests/hostile/watched-site.ts',
  })
  raw = openRawConnections(site.port, { count: 32 })
  for (const offer of offers.filter(isAtHand)) unsettled.push(await beginUnsettled(offer))
})
afterAll(async () => {
  raw?.close()
  await site?.kill('SIGTERM')
  await facilitator?.close()
  await money?.stop()
})

/**
 * A purchase whose settlement the facilitator leaves pending; it waits for the chain while the other tests run. Its
 * wallet buys nothing else, because a second payment for a lasting product would wait for this one.
 */
async function beginUnsettled(offer: Offer) {
  const privateKey = generatePrivateKey()
  await fund(money.rpc, privateKeyToAccount(privateKey).address, 10_000_000n)
  const { header } = await signFor(offer, { privateKey })
  const calls = facilitator.calls.settle
  facilitator.faults.settle.push('pending')
  const answer = raw.ask(paidRequest(offer, header), { alone: true, deadlineMs: 120_000 })
  while (facilitator.calls.settle === calls) await delay(5)
  return { offer, header, answer }
}
const unsettled: Awaited<ReturnType<typeof beginUnsettled>>[] = []

/** Defines a test only where it applies, so that it is not reported as skipped elsewhere. */
const itIf = (applies: boolean) => (applies ? it : () => {})

/** The request with these lines added at the end of its headers. */
const withLines = (whole: Buffer, ...lines: string[]): string =>
  whole.toString('latin1').replace('\r\n\r\n', `\r\n${lines.join('\r\n')}\r\n\r\n`)

/** Headers that differ between equal responses: random ones, and those of the thousandth response on a connection. */
const incidental = ['date', 'x-request-id', 'payment-required', 'connection', 'keep-alive']

/** The response as text without what is random, so that equal responses compare as equal. */
function withoutRandomness(answer: RawAnswer): string {
  const quote = headerOf(answer, 'payment-required')
  const shown = quote === undefined ? '' : JSON.stringify(decodeHeader(quote))
  const headers = answer.headers.filter(([name]) => !incidental.includes(name))
  return [answer.status, JSON.stringify(headers), shown, textOf(answer)]
    .join('\n')
    .replaceAll(/"token":"[\w-]{24}"/g, '"token"')
    .replaceAll(/"(nonce|issuedAt|expirationTime)":"[^"]+"/g, '"$1"')
    .replaceAll(/urn:request:[0-9a-f-]{36}/g, 'urn:request')
}

describe.each(offers.map((offer) => [offer.path, offer] as const))('%s', (_, offer) => {
  let signed: SignedPayment
  let transfers: number
  let questions: number
  let output: string
  beforeAll(async () => {
    signed = await signFor(offer)
    transfers = (await money.transfersTo()).length
    questions = facilitator.calls.verify + facilitator.calls.settle
    output = site.output()
  })
  const ask = (wrong?: Wrong) => raw.ask(paidRequest(offer, signed.header, wrong))
  const askUnpaid = (wrong?: Wrong) => raw.ask(paidRequest(offer, undefined, wrong))

  it('is found under no other spelling, paid or not', async () => {
    for (const target of [`/${offer.path}`, `/.${offer.path}`, `${offer.path}/`, `${offer.path};a`, `${offer.path}%00`])
      expect([target, (await ask({ target })).status]).toEqual([target, 404])
    expect((await ask({ target: offer.path.toUpperCase() })).status).toBe(404)
    // A target in absolute form, as programs send it to proxies, is the same path behind the same gate.
    for (const origin of [testBaseUrl, 'http://evil.test'])
      expectChallenge(await askUnpaid({ target: `${origin}${offer.path}` }), offer, 'payment_required')
    expect((await ask({ target: `http://user@farthing.test${offer.path}` })).status).toBe(400)
  })

  it('answers methods that it does not offer with 405 and the methods that it offers', async () => {
    const methods = isPost(offer) ? 'POST, OPTIONS' : 'GET, HEAD, OPTIONS'
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'QUERY', 'PROPFIND'].filter(
      (name) => name !== offer.method,
    )) {
      const refused = await ask({ method })
      expectProblem(refused, 405, 'method-not-allowed')
      expect([method, headerOf(refused, 'allow')]).toEqual([method, methods])
    }
    expect((await raw.ask(toRequest({ method: 'TRACE', target: offer.path }))).status).toBe(405)
    const connect = await raw.ask(toRequest({ method: 'CONNECT', target: offer.path }), { alone: true })
    expect([0, 400, 405]).toContain(connect.status)
    const head = await ask({ method: 'HEAD' })
    expect([head.status, head.body.length]).toEqual([isPost(offer) ? 405 : 402, 0])
    const preflight = await ask({ method: 'OPTIONS' })
    expect([preflight.status, headerOf(preflight, 'access-control-allow-methods')]).toEqual([204, methods])
    expect(headerOf(preflight, 'access-control-allow-headers')).toContain('PAYMENT-SIGNATURE')
  })

  it('refuses requests that are too long or no valid HTTP, and closes the connection', async () => {
    const whole = paidRequest(offer, signed.header)
    const text = whole.toString('latin1')
    const odd: [what: string, request: string, statuses: number[]][] = [
      ['headers over 32 KiB', withLines(whole, `X-Filler: ${'a'.repeat(33 * 1024)}`), [431]],
      ['length and chunks', withLines(whole, 'Content-Length: 3', 'Transfer-Encoding: chunked'), [400]],
      ['two lengths', withLines(whole, 'Content-Length: 3', 'Content-Length: 4'), [400]],
      ['a negative length', withLines(whole, 'Content-Length: -1'), [400]],
      ['bare line feeds', text.replaceAll('\r\n', '\n'), [400]],
      ['a space before a colon', withLines(whole, 'X-A : b'), [400]],
      ['a folded header', withLines(whole, 'X-A: b', ' c'), [400]],
      ['a NUL in a header', withLines(whole, 'X-A: b\0c'), [400]],
      ['an unknown version', text.replace(' HTTP/1.1', ' HTTP/3.7'), [400]],
    ]
    for (const [what, bytes, statuses] of odd) {
      const answer = await raw.ask(bytes, { alone: true })
      expect([what, statuses.includes(answer.status), headerOf(answer, 'connection')]).toEqual([what, true, 'close'])
    }
    expect((await ask({ target: `${offer.path}?${'a'.repeat(9000)}` })).status).toBe(414)
  })

  it('needs one well-formed Host', async () => {
    const text = paidRequest(offer, signed.header).toString('latin1')
    for (const host of [
      '',
      'Host: \r\n',
      'Host: a/b\r\n',
      'Host: user@farthing.test\r\n',
      'Host: a\r\nHost: b\r\n',
      'Host: a b\r\n',
    ]) {
      const answer = await raw.ask(text.replace('Host: farthing.test\r\n', host), { alone: true })
      expect([host, answer.status]).toEqual([host, 400])
    }
  })

  it('sends the same response to a client that lies about host, protocol and addresses', async () => {
    const lies = [
      ...['X-Forwarded-Host: evil.test', 'X-Forwarded-Proto: https', 'X-Forwarded-Port: 1', 'X-Forwarded-For: 6.6.6.6'],
      ...[
        'X-Real-IP: 6.6.6.6',
        'Forwarded: for=6.6.6.6;host=evil.test;proto=https',
        'X-Original-URL: /',
        'X-Rewrite-URL: /',
      ],
    ]
    const bare = (accept: string, header?: string) =>
      paidRequest(offer, header, { lines: [`Accept: ${accept}`], body: '' })
    // A signature that cannot be read is refused like none.
    for (const honest of [bare('*/*'), bare('text/html'), bare('*/*', 'e30=')]) {
      const lying = withLines(honest, ...lies).replace('Host: farthing.test', 'Host: evil.test:8080')
      const [answer, lied] = [await raw.ask(honest), await raw.ask(lying)]
      expect(withoutRandomness(lied)).toBe(withoutRandomness(answer))
      expect(lied.bytes.toString('latin1')).not.toContain('evil.test')
    }
  })

  it('asks for payment whatever else is wrong', async () => {
    const wrongs: Wrong[] = [
      {},
      { body: '' },
      { body: '{' },
      { body: 'a'.repeat(offer.maxBodyBytes + 1) },
      { lines: ['Content-Type: text/plain'], body: '{}' },
      { lines: [json, 'Content-Encoding: gzip'], body: '{}' },
      { target: `${offer.path}?inspect=2` },
    ]
    for (const wrong of wrongs) expectChallenge(await askUnpaid(wrong), offer, 'payment_required')
    expectChallenge(await askUnpaid({ lines: ['X-PAYMENT: e30='] }), offer, 'invalid_x402_version')
  })

  it('asks for payment anew when the one it got cannot be read', async () => {
    const { payload, header } = signed
    const bytes = JSON.stringify(payload)
    const unreadable = [
      ...['junk', '%%%', 'bm90IGpzb24=', encodeHeader(null), encodeHeader([])],
      encodeHeader({ ...payload, x402Version: 3 }),
      encodeHeader({ ...payload, payload: { ...payload.payload, signature: '0x1' } }),
      encodeHeader({ ...payload, payload: { ...payload.payload, permit2Authorization: {} } }),
      Buffer.from(bytes.slice(0, -1)).toString('base64'),
      `_${Buffer.from(bytes).toString('base64url')}`,
      `${header}, ${header}`,
      'A'.repeat(13_000),
    ]
    for (const wrong of unreadable) expectChallenge(await raw.ask(paidRequest(offer, wrong)), offer, 'invalid_payload')
    const twice = withLines(paidRequest(offer, header), `PAYMENT-SIGNATURE: ${header}`)
    expectChallenge(await raw.ask(twice), offer, 'invalid_payload')
  })

  it('asks for payment anew when the one it got is for other terms', async () => {
    const now = Math.floor(Date.now() / 1000)
    const price = priceOf(offer, offer.input.parse(offer.example))
    const stranger = '0x3333333333333333333333333333333333333333'
    const wishes: Partial<PaymentWish>[] = [
      { amount: price - 1n },
      { amount: price + 1n },
      { amount: 0n },
      { amount: 2n ** 256n - 1n },
      { payTo: stranger },
      { validBefore: now - 1 },
      { validBefore: now + offer.workSeconds + 30 },
      { validAfter: now + 120 },
    ]
    const reason = expect.stringMatching(/^[a-z0-9_]{3,80}$/)
    for (const wish of wishes)
      expectChallenge(await raw.ask(paidRequest(offer, (await signFor(offer, wish)).header)), offer, reason)
    const { payload } = await signFor(offer)
    for (const lie of [
      { network: 'eip155:84532' },
      { asset: stranger },
      { payTo: stranger },
      { amount: '1' },
      { scheme: 'upto' },
    ]) {
      const answer = await raw.ask(
        paidRequest(offer, encodeHeader({ ...payload, accepted: { ...payload.accepted, ...lie } })),
      )
      expectChallenge(answer, offer, reason)
    }
  })

  itIf(isPost(offer))('refuses a body of a wrong kind, with a pointer to what is wrong', async () => {
    const [field = ''] = Object.keys(offer.example)
    const example = JSON.stringify(exampleOf(offer))
    const deep = `{"${field}":${'['.repeat(40)}${']'.repeat(40)}}`
    const broken = [
      '',
      '{',
      example.slice(1),
      `\ufeff${example}`,
      '[]',
      'null',
      '1',
      '"a"',
      'NaN',
      deep,
      `${example}${example}`,
    ]
    const badText = Buffer.from(example.replace(/"(?=[^"]*$)/, '\xff"'), 'latin1')
    for (const body of [...broken, badText, Buffer.from(example, 'utf16le')]) {
      const refused = await ask({ body })
      expectProblem(refused, 400, 'invalid-input')
      expect([body, pointersOf(refused)]).toEqual([body, ['']])
    }
    const typo = await ask({ body: JSON.stringify({ ...exampleOf(offer), tpyo: 1 }) })
    expectProblem(typo, 400, 'invalid-input')
    expect(pointersOf(typo)).toEqual(['/tpyo'])
    const twice = await ask({ body: `{"${field}":${JSON.stringify(exampleOf(offer)[field])},"${field}":12345}` })
    expectProblem(twice, 400, 'invalid-input')
    expect(pointersOf(twice)).toEqual([`/${field}`])
    const proto = await ask({ body: example.replace('{', '{"__proto__":{"a":1},') })
    expectProblem(proto, 400, 'invalid-input')

    for (const lines of [
      [],
      ['Content-Type: text/plain'],
      ['Content-Type: application/jsonp'],
      [json, 'Content-Encoding: gzip'],
    ])
      expectProblem(await ask({ lines }), 415, 'unsupported-media-type', { errors: [{ pointer: '' }] })
  })

  itIf(isPost(offer))('refuses a body that is too large, or not there, without reading it', async () => {
    const tooLarge = { errors: [{ pointer: '' }] }
    expectProblem(
      await ask({ body: JSON.stringify({ x: 'a'.repeat(offer.maxBodyBytes) }) }),
      413,
      'body-too-large',
      tooLarge,
    )
    const head = paidRequest(offer, signed.header, { body: '' }).toString('latin1')
    const promised = await raw.ask(head.replace('Content-Length: 0', 'Content-Length: 10000000000'), { alone: true })
    expectProblem(promised, 413, 'body-too-large', tooLarge)
    const chunked = head.replace('Content-Length: 0', 'Transfer-Encoding: chunked')
    const { answer, sentBytes } = await pourChunks(site.port, chunked)
    expect(answer).toMatch(/^HTTP\/1\.1 413 /)
    // The rest is in the buffers of the two kernels.
    expect(sentBytes).toBeLessThan(16 * 1024 * 1024)
    const bad = await raw.ask(`${chunked}zz\r\n`, { alone: true })
    expect(bad.status).toBe(400)
    await leaveInTheMiddle(site.port, head.replace('Content-Length: 0', 'Content-Length: 100'))
  })

  itIf(!isPost(offer))('ignores bodies and unknown parameters', async () => {
    expectChallenge(await askUnpaid({ lines: [json], body: '{"a":1}' }), offer, 'payment_required')
    expectChallenge(await askUnpaid({ target: `${offer.path}?utm_source=x&utm_source=y` }), offer, 'payment_required')
    const chunked = withLines(paidRequest(offer, undefined), 'Transfer-Encoding: chunked')
    expect([400, 402]).toContain((await raw.ask(`${chunked}zz\r\n`, { alone: true })).status)
  })

  itIf(!isPost(offer) && Object.keys(offer.input.shape).length > 0)('refuses wrong parameters by name', async () => {
    for (const query of Object.keys(offer.input.shape).flatMap((name) => [`${name}=%00`, `${name}=1&${name}=1`])) {
      const refused = await ask({ target: `${offer.path}?${query}` })
      expectProblem(refused, 400, 'invalid-input')
      expect(pointersOf(refused)).toEqual([query.split('=')[0]])
    }
  })

  it('has not asked the facilitator so far, moved no money and logged no error', async () => {
    expect(site.output().slice(output.length)).not.toMatch(/made|server\.error/)
    expect(facilitator.calls.verify + facilitator.calls.settle).toBe(questions)
    expect(await money.transfersTo()).toHaveLength(transfers)
  })

  itIf(isAtHand(offer))('is not charged for when the facilitator cannot be asked or refuses', async () => {
    facilitator.faults.verify.push('down')
    const unchecked = await ask()
    expectProblem(unchecked, 503, 'facilitator-unavailable', { retryable: true })
    expect(Number(headerOf(unchecked, 'retry-after'))).toBeGreaterThan(0)

    facilitator.faults.settle.push('refused')
    expectChallenge(await ask(), offer, 'insufficient_funds')

    expect(await money.transfersTo()).toHaveLength(transfers)
  })

  it('sells for the signature that came with all of those requests', async () => {
    const bought = await raw.ask(paidRequest(offer, signed.header), { deadlineMs: offer.workSeconds * 1000 + 10_000 })
    const isSold = bought.status === 200
    if (isAtHand(offer)) expect(bought.status).toBe(200)
    // Work that needs the network may fail here, but then the buyer is not charged.
    if (!isSold) expect(readProblem(bought)).toMatchObject({ charged: false, status: expect.toBeOneOf([502, 503]) })
    expect(await money.transfersTo()).toHaveLength(transfers + (isSold ? 1 : 0))

    if (!isSold) return
    const other = offers.find((candidate) => isAtHand(candidate) && candidate !== offer)
    if (!other) throw new Error('nothing else is at hand')
    expectChallenge(await raw.ask(paidRequest(other, signed.header)), other, 'payment_already_used')
    const { extensions: _, ...onChain } = signed.payload
    expectProblem(await raw.ask(paidRequest(offer, encodeHeader(onChain))), 410, 'already-delivered', { charged: true })
    expect(await money.transfersTo()).toHaveLength(transfers + 1)
  })
})

it('every product is kept for the buyer when nobody knows whether a settlement went through', async () => {
  const transfers = (await money.transfersTo()).length
  expect(unsettled.length).toBeGreaterThan(0)
  for (const { answer } of unsettled) {
    const unknown = await answer
    expectProblem(unknown, 503, 'settlement-unknown', { charged: 'unknown', retryable: true })
    expect(Number(headerOf(unknown, 'retry-after'))).toBeGreaterThan(0)
    expect(decodeHeader(headerOf(unknown, 'payment-response') ?? null)).toMatchObject({ success: false })
  }
  expect(await money.transfersTo()).toHaveLength(transfers)
  for (const { offer, header } of unsettled) expect((await raw.ask(paidRequest(offer, header))).status).toBe(200)
  expect(await money.transfersTo()).toHaveLength(transfers + unsettled.length)
})
