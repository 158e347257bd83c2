import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { sandboxAccounts } from '../../src/sandbox/accounts.ts'
import { figure, limitMs, seed } from '../support/figures.ts'
import { fuzzedBody } from '../support/fuzzed-input.ts'
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
import { isPost, testedOffers } from '../support/tested-offers.ts'

const requests = figure(20_000, 1_000_000)
const perRun = 32
/** More valid input at a time than a product takes would be told to come back later. */
const connections = 2
const hosted = testedOffers().filter((offer) => offer.lane === 'hostedApi' && isPost(offer))

let money: RunningMoney
let site: RunningSite
let raw: RawConnections
beforeAll(async () => {
  money = await startMoney()
  site = await startSite({ ...money, program: 'tests/hostile/watched-site.ts' })
  raw = openRawConnections(site.port, { count: connections })
})
afterAll(async () => {
  raw?.close()
  await site?.kill('SIGTERM')
  await money?.stop()
})

/**
 * Refused for the body, asked for money because the wallet behind the signature is empty, or told that the signature
 * is just being looked at for another body; never a failure.
 */
const isSound = ({ status }: RawAnswer, text: string): boolean =>
  [402, 409, 413, 415].includes(status) || (status === 400 && text.includes('"charged":false'))

it.each(hosted.map((offer) => [offer.path, offer] as const))(
  `%s refuses or asks for money, whatever is in the body (${requests} requests)`,
  { timeout: limitMs(180_000, 7_200_000) },
  async (path, offer) => {
    // Of an empty wallet: input that happens to be valid buys nothing.
    const { header } = await signFor(offer, {
      validBefore: 4_000_000_000,
      privateKey: sandboxAccounts.pauper.privateKey,
    })
    const lines = [`PAYMENT-SIGNATURE: ${header}`, 'Content-Type: application/json']
    await fc.assert(
      fc.asyncProperty(fc.array(fuzzedBody(offer), { minLength: perRun, maxLength: perRun }), async (batch) => {
        const ask = (body: Buffer) => raw.ask(toRequest({ method: 'POST', target: path, lines, body }))
        const answers = await Promise.all(batch.map(ask))
        const wrong = answers.findIndex((answer) => !isSound(answer, textOf(answer)))
        if (wrong < 0) return
        const [sent, got] = [batch[wrong], answers[wrong]]
        throw new Error(`${sent?.toString()} was answered ${got?.status}: ${got && textOf(got)}`)
      }),
      { numRuns: Math.ceil(requests / perRun), ...seed },
    )
  },
)

it('made, sold and broke nothing meanwhile', async () => {
  expect(site.output()).not.toMatch(/made|server\.error|sale\./)
  expect(await money.transfersTo()).toEqual([])
  expect((await site.fetch('/readyz')).status).toBe(200)
})
