import fc from 'fast-check'
import { expect, it } from 'vitest'
import { storeProducts } from '../../game-server/store/products.ts'
import { figure, limitMs, seed } from '../support/figures.ts'
import { fuzzedBody, spoil } from '../support/fuzzed-input.ts'
import { pretendChain } from '../support/pretend-chain.ts'
import { signPayment } from '../support/signed-payments.ts'
import { openTestStore } from '../support/test-store.ts'

const requests = figure(1000, 200_000)
const perRun = 40
const proof = { playerName: 'Ada', resumeToken: 'rt_x' }
const free: readonly [path: string, example: object][] = [
  ['/api/credits/redeem', { ...proof, sku: 'death_frames_pro' }],
  ['/api/store/frame', { ...proof, frame: 'frame_gold' }],
  ['/api/wall', { ...proof, text: 'hello' }],
]

it(`the store refuses or asks for money, whatever it is sent, and gives nothing away (${requests} requests)`, {
  timeout: limitMs(600_000, 3_600_000),
}, async () => {
  const chain = pretendChain({ ms: Date.now() })
  const store = await openTestStore({ money: chain })
  const { header } = await signPayment({ amount: 1n })
  const paid = fc.record({
    path: fc.constant('/api/store/unlock'),
    body: fc.constantFrom(...storeProducts).chain(({ offer }) => fuzzedBody(offer)),
    signature: fc.constantFrom(undefined, header, 'bm90IGEgcGF5bWVudA=='),
  })
  const unpaid = fc.constantFrom(...free).chain(([path, example]) =>
    fc.record({
      path: fc.constant(path),
      body: spoil(example).map((body) => Buffer.from(JSON.stringify(body) ?? '')),
      signature: fc.constant(undefined),
    }),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(fc.oneof(paid, unpaid), { minLength: perRun, maxLength: perRun }), async (batch) => {
      for (const { path, body, signature } of batch) {
        const headers = { 'content-type': 'application/json', ...(signature && { 'payment-signature': signature }) }
        const answer = await store.ask(path, { method: 'POST', headers, body: new Uint8Array(body) })
        const text = await answer.text()
        const isSound = path.endsWith('unlock')
          ? [400, 402, 404, 413].includes(answer.status) && text.includes('"charged":false')
          : [400, 401, 404, 413].includes(answer.status)
        if (!isSound) throw new Error(`${path} ${body.toString()} was answered ${answer.status}: ${text}`)
      }
    }),
    { numRuns: Math.ceil(requests / perRun), ...seed },
  )
  expect([chain.calls.settle, store.logged]).toEqual([0, []])
  expect(await store.db.selectFrom('player').select('key').execute()).toEqual([])
  await store.close()
  await store.db.destroy()
})
