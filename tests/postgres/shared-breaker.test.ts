import { createServer } from 'node:http'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { readConfig } from '../../src/config/config.ts'
import { network, usdcAddress } from '../../src/core/chain-constants.ts'
import { listen } from '../../src/http/listen.ts'
import { readPayment } from '../../src/payments/wire/read-payment.ts'
import { toRequirements } from '../../src/payments/wire/requirements.ts'
import { openFacilitator } from '../../src/site/open-facilitator.ts'
import { signPayment, testPayTo } from '../support/signed-payments.ts'
import { openTwoShops } from '../support/two-shops.ts'

let both: Awaited<ReturnType<typeof openTwoShops>>
let url: string
/** The number of requests to the facilitator; `fails` says which of them get an error. */
let asked = 0
let fails: (call: number) => boolean = () => false
const server = createServer((req, res) => {
  req.resume().on('end', () => {
    res.writeHead(fails(++asked) ? 500 : 200, { 'content-type': 'application/json' })
    res.end(res.statusCode === 500 ? '{}' : JSON.stringify({ isValid: true }))
  })
})
beforeAll(async () => {
  both = await openTwoShops()
  const { port } = await listen(server, { host: '127.0.0.1', port: 0 })
  url = `http://127.0.0.1:${port}`
})
afterAll(async () => {
  server.close()
  server.closeAllConnections()
  await both?.close()
})
beforeEach(() => {
  asked = 0
  fails = () => false
})

/** The facilitator as each of two sites sees it, with a function that verifies a payment. */
async function open(path: string) {
  const payment = readPayment((await signPayment({ amount: 100_000n })).header)
  if (!payment) throw new Error('it cannot be read')
  const terms = toRequirements({ payTo: testPayTo, asset: usdcAddress, network }, 100_000n, 300)
  const config = readConfig({ FACILITATOR_URL: `${url}/${path}` })
  return both.shops.map(({ siblings }) => {
    const facilitator = openFacilitator(config, { siblings })
    return {
      verify: async () => (await facilitator.verify(payment, terms)).is,
      rests: () => facilitator.restLeftMs() > 0,
    }
  })
}

/** Resolves when the second shop has received everything that the first one has sent so far. */
async function hearAll(): Promise<void> {
  const [here, there] = both.shops
  const { promise, resolve } = Promise.withResolvers<unknown>()
  there.siblings.on('said', resolve)
  here.siblings.tell('said')
  await promise
}

it('a facilitator is left alone by both shops when their failures together are as many as one shop alone allows', async () => {
  const [here, there] = await open('down')
  expect([await here?.verify(), await there?.verify()]).toEqual(['valid', 'valid'])
  fails = () => true
  for (let times = 0; times < 4; times++) expect(await here?.verify()).toBe('unavailable')
  expect([here?.rests(), there?.rests()]).toEqual([false, false])
  await hearAll()
  expect(await there?.verify()).toBe('unavailable')
  expect(there?.rests()).toBe(true)
  await expect.poll(() => here?.rests()).toBe(true)
  // Five payments, and one probe by each shop.
  expect(asked).toBe(2 + 5 + 2)
})

it('a facilitator is still asked by a shop for which it works, whatever the other one found', async () => {
  const [here, there] = await open('up')
  await there?.verify()
  // Five payments and the probe of the first shop fail; from then on it works.
  fails = (call) => call > 1 && call <= 7
  for (let times = 0; times < 5; times++) expect(await here?.verify()).toBe('unavailable')
  expect(here?.rests()).toBe(true)
  await expect.poll(() => asked).toBe(8)
  expect(await there?.verify()).toBe('valid')
  expect([there?.rests(), both.errors]).toEqual([false, []])
})
