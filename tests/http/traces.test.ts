import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sandboxAccounts } from '../../src/config/sandbox-accounts.ts'
import { type RunningMoney, startMoney } from '../support/money.ts'
import { type RunningSite, startSite, testBaseUrl } from '../support/running-site.ts'
import { payingFetch } from '../support/stock-client.ts'
import { askForTip, signForTip } from '../support/tip-purchase.ts'
import { openTraceCollector, type TraceCollector } from '../support/trace-collector.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'farthing-traces-'))
const key = 'key-of-the-collector'
let money: RunningMoney
let collector: TraceCollector
let site: RunningSite
let game: RunningSite

beforeAll(async () => {
  ;[money, collector] = await Promise.all([startMoney(), openTraceCollector()])
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint, OTEL_EXPORTER_OTLP_HEADERS: `api-key=${key}` }
  site = await startSite({ ...money, dataDir, env })
  game = await startSite({ ...money, dataDir, env, program: 'game-server/host/main.ts' })
})
afterAll(async () => {
  await Promise.all([site?.kill('SIGTERM'), game?.kill('SIGTERM')])
  await collector?.close()
  await money?.stop()
  rmSync(dataDir, { recursive: true, force: true })
})

/** The spans of a trace, as a tree of names and with the attributes of each. */
function treeOf(traceId: string) {
  const spans = collector.spans.filter((span) => span.traceId === traceId)
  const below = (parent: string | undefined): object =>
    Object.fromEntries(
      spans
        .filter(({ parentSpanId }) => parentSpanId === parent)
        .toSorted((a, b) => Number(BigInt(a.startTimeUnixNano) - BigInt(b.startTimeUnixNano)))
        .map(({ name, spanId }) => [name, below(spanId)]),
    )
  return { spans, below, known: (name: string) => spans.find((span) => span.name === name)?.known }
}

describe('a purchase', () => {
  const steps = ['verify', 'work', 'settle', 'deliver']

  it('is one trace: the request under the trace of its sender, and each step of the payment below it', async () => {
    const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
    const sender = '00f067aa0ba902b7'
    const path = '/skills/x402-seller/raw'
    const traced: typeof fetch = (input, init) => {
      const request = new Request(input, init)
      request.headers.set('traceparent', `00-${traceId}-${sender}-01`)
      return site.fetch(request)
    }
    const answer = await payingFetch(sandboxAccounts.buyer.privateKey, traced)(testBaseUrl + path)
    expect(answer.status).toBe(200)
    const receipt = answer.headers.get('x-receipt-id')
    await collector.until(() => collector.spans.filter((span) => span.traceId === traceId).length >= 6)
    const tree = treeOf(traceId)
    const roots = tree.spans.filter(({ parentSpanId }) => parentSpanId === sender)
    // First the request for the price, then the paid one.
    expect(roots.map(({ name, known }) => [name, known['http.response.status_code']])).toEqual([
      [`GET ${path}`, '402'],
      [`GET ${path}`, '200'],
    ])
    expect(Object.keys(tree.below(roots[1]?.spanId))).toEqual(steps)
    expect(tree.below(roots[0]?.spanId)).toEqual({})
    expect(roots[1]?.known['farthing.request_id']).toBe(answer.headers.get('x-request-id'))
    const transaction = expect.stringMatching(/^0x[0-9a-f]{64}$/)
    for (const name of ['settle', 'deliver'])
      expect(tree.known(name)).toMatchObject({ 'farthing.receipt': receipt, 'farthing.transaction': transaction })
    expect(tree.known('settle')).toMatchObject({ 'farthing.answer': 'settled', 'farthing.amount_micro_usd': '100000' })
    expect(tree.known('verify')).toMatchObject({ 'farthing.answer': 'valid', 'farthing.product': 'skill/x402-seller' })
    expect(new Set(tree.spans.map(({ service }) => service))).toEqual(new Set(['farthing-site']))
  })

  it('of the game has the same steps, and unsent spans are sent when the program ends', async () => {
    const { header } = await signForTip()
    expect((await askForTip(game.port, '/api/store/unlock', header)).status).toBe(200)
    await game.kill('SIGTERM')
    const root = collector.spans.find(
      ({ name, service }) => service === 'farthing-game' && name === 'POST /api/store/unlock',
    )
    const tree = treeOf(root?.traceId ?? '')
    expect(Object.keys(tree.below(root?.spanId))).toEqual(steps)
  })

  it('shows no signature, key, wallet or query, and every message conforms to the protocol', async () => {
    await site.fetch('/search?q=something-private')
    await site.kill('SIGTERM')
    const told = collector.asked.map(({ body }) => body).join('\n')
    expect(told).not.toMatch(/something-private|payment-signature|0x[0-9a-fA-F]{65,}/i)
    for (const { address } of Object.values(sandboxAccounts))
      expect(told.toLowerCase()).not.toContain(address.toLowerCase())
    expect(collector.wrong).toEqual([])
    expect(collector.asked.every(({ headers }) => headers['api-key'] === key)).toBe(true)
    for (const program of [site, game]) expect(program.output()).not.toContain(key)
  })
})
