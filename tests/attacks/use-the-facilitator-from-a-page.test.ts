import { request } from 'node:http'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { askFacilitator } from '../support/ask-facilitator.ts'
import { type RunningMoney, startMoney } from '../support/money.ts'
import { signPayment, testPayTo } from '../support/signed-payments.ts'

let money: RunningMoney
beforeAll(async () => {
  money = await startMoney()
})
afterAll(() => money.stop())

/** Sends a request as a browser would, with Host and Origin headers that fetch does not let anybody set. */
async function ask(path: string, headers: Record<string, string>, body?: string): Promise<number | undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<number | undefined>()
  const method = body === undefined ? 'GET' : 'POST'
  const type = { 'content-type': 'application/json' }
  request(money.facilitatorUrl + path, { method, headers: { ...type, ...headers }, agent: false }, (response) => {
    response.resume().on('end', () => resolve(response.statusCode))
  })
    .on('error', reject)
    .end(body)
  return promise
}

it('refuses pages whose host name was made to point to this machine, and pages of another origin', async () => {
  const { port } = new URL(money.facilitatorUrl)
  const { payload } = await signPayment({ amount: 10_000n })
  const body = JSON.stringify({ x402Version: 2, paymentPayload: payload, paymentRequirements: payload.accepted })
  const own = `127.0.0.1:${port}`
  const foreign: readonly Record<string, string>[] = [
    { host: `rebound.example:${port}` },
    { host: 'rebound.example' },
    { host: '127.0.0.1' },
    { host: `127.0.0.1:${Number(port) + 1}` },
    { host: own, origin: 'https://rebound.example' },
    { host: own, origin: `http://rebound.example:${port}` },
    { host: own, origin: `https://127.0.0.1.rebound.example:${port}` },
    { host: own, origin: 'null' },
    { host: own, origin: '' },
  ]
  for (const headers of foreign) {
    const statuses = [
      await ask('/verify', headers, body),
      await ask('/settle', headers, body),
      await ask('/supported', headers),
      await ask('/health', headers),
    ]
    expect([headers, statuses]).toEqual([headers, [403, 403, 403, 403]])
  }
  expect(await money.transfersTo(testPayTo)).toEqual([])
})

it('serves programs on this machine under each of its names', async () => {
  const { port } = new URL(money.facilitatorUrl)
  for (const headers of [{ host: `localhost:${port}` }, { host: `LOCALHOST:${port}` }, { host: `127.0.0.1:${port}` }])
    expect(await ask('/supported', headers)).toBe(200)
  const page = { host: `localhost:${port}`, origin: `http://localhost:${port}` }
  expect(await ask('/supported', page)).toBe(200)
  expect(await askFacilitator(money.facilitatorUrl, 'verify', await signPayment({ amount: 1n }))).toMatchObject({
    isValid: true,
  })
})
