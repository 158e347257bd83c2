import { createServer } from 'node:http'
import { json } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { readConfig } from '../../src/config/config.ts'
import { network, usdcAddress } from '../../src/core/chain-constants.ts'
import { listen } from '../../src/http/listen.ts'
import { makeChainOracle } from '../../src/payments/chain/chain-oracle.ts'
import type { Witness } from '../../src/payments/chain/witness.ts'
import { readPayment } from '../../src/payments/wire/read-payment.ts'
import { toRequirements } from '../../src/payments/wire/requirements.ts'
import { openFacilitator } from '../../src/site/open-facilitator.ts'
import { pretendChain } from '../support/pretend-chain.ts'
import { signPayment, testPayTo } from '../support/signed-payments.ts'
import { openTestShop } from '../support/test-shop.ts'

afterEach(() => vi.useRealTimers())

it('avoids a failed facilitator for ten seconds, not for the hour that the clock was set back', async () => {
  const server = createServer((req, res) => {
    req.resume().on('end', () => res.writeHead(500, { 'content-type': 'application/json' }).end('{}'))
  })
  const { port } = await listen(server, { host: '127.0.0.1', port: 0 })
  const payment = readPayment((await signPayment({ amount: 100_000n })).header)
  if (!payment) throw new Error('it cannot be read')
  const terms = toRequirements({ payTo: testPayTo, asset: usdcAddress, network }, 100_000n, 300)
  vi.useFakeTimers({ toFake: ['Date'], shouldAdvanceTime: true, now: Date.now() })
  const facilitator = openFacilitator(readConfig({ FACILITATOR_URL: `http://127.0.0.1:${port}` }))
  for (let times = 0; times < 5; times++) expect((await facilitator.verify(payment, terms)).is).toBe('unavailable')
  expect(facilitator.restLeftMs()).toBeGreaterThan(0)
  vi.setSystemTime(Date.now() - 60 * 60 * 1000)
  expect(facilitator.restLeftMs()).toBeLessThanOrEqual(10_000)
  await expect.poll(() => facilitator.restLeftMs()).toBe(0)
  server.close()
  server.closeAllConnections()
})

it('sees money that arrived in a wallet after two seconds, even if the clock was set back', async () => {
  const question = z.object({ id: z.number() })
  let balance = 0
  const server = createServer((req, res) => {
    void json(req).then((asked) => {
      const { id } = question.parse(asked)
      const result = `0x${balance.toString(16).padStart(64, '0')}`
      res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ jsonrpc: '2.0', id, result }))
    })
  })
  const { port } = await listen(server, { host: '127.0.0.1', port: 0 })
  vi.useFakeTimers({ toFake: ['Date'], shouldAdvanceTime: true, now: Date.now() })
  const oracle = makeChainOracle(`http://127.0.0.1:${port}`)
  expect(await oracle.balance(usdcAddress, testPayTo)).toBe(0n)
  balance = 5
  vi.setSystemTime(Date.now() - 60 * 60 * 1000)
  await delay(2100)
  expect(await oracle.balance(usdcAddress, testPayTo)).toBe(5n)
  server.close()
  server.closeAllConnections()
})

it('takes the chain’s time from its newest block, whatever the local clock says, and none from a failing node', async () => {
  const question = z.object({ id: z.number(), method: z.literal('eth_getBlockByNumber') })
  const server = createServer((req, res) => {
    void json(req).then((asked) => {
      const { id } = question.parse(asked)
      const result = { number: '0x10', timestamp: '0x6a1b2c3d', transactions: [] }
      res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ jsonrpc: '2.0', id, result }))
    })
  })
  const { port } = await listen(server, { host: '127.0.0.1', port: 0 })
  const oracle = makeChainOracle(`http://127.0.0.1:${port}`)
  expect(await oracle.time()).toBe(0x6a1b2c3d * 1000)
  server.close()
  server.closeAllConnections()
  await expect(oracle.time()).rejects.toThrow()
})

it('answers a buyer in time although the clock is set back while the chain is asked for the transfer', async () => {
  const clock = { ms: Date.now() }
  const chain = pretendChain(clock)
  const witness = async (): Promise<Witness> => {
    clock.ms -= 60 * 60 * 1000
    return { is: 'unused', asOf: 1 }
  }
  const { buyLeaflet, db } = await openTestShop({
    chain: { ...chain, oracle: { ...chain.oracle, witness } },
    clock,
    settleWaitMs: 200,
  })
  const answer = await Promise.race([buyLeaflet((await signPayment({ amount: 100_000n })).header), delay(30_000)])
  expect(answer?.status).toBe(503)
  await db.destroy()
})
