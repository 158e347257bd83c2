import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { sandboxAccounts, sandboxPayTo } from '../../src/config/sandbox-accounts.ts'
import { fund } from '../support/hostile-wallets.ts'
import { type RunningMoney, startMoney } from '../support/money.ts'
import { type RunningSite, startSite } from '../support/running-site.ts'
import { type SignedPayment, signPayment } from '../support/signed-payments.ts'

let money: RunningMoney
let site: RunningSite
beforeAll(async () => {
  money = await startMoney({ settlement: { reviveAfterMs: 500, stallMs: 400, confirmationTimeoutMs: 1_000 } })
  // The operator runs the facilitator, so the site asks for its health as well.
  const env = { FACILITATOR_URL: 'self', FACILITATOR_PORT: new URL(money.facilitatorUrl).port }
  site = await startSite({ facilitatorUrl: 'self', rpcUrl: money.rpcUrl, env })
  await fund(money.rpc, sandboxAccounts.pauper.address, 10_000_000n)
})
afterAll(async () => {
  await site?.kill('SIGTERM')
  await money?.stop()
})

const sign = (privateKey = sandboxAccounts.buyer.privateKey) =>
  signPayment({
    amount: 50_000n,
    payTo: sandboxPayTo,
    validBefore: Math.floor(Date.now() / 1000) + 300,
    token: 'my-token',
    privateKey,
  })
const buy = async ({ header }: SignedPayment): Promise<number> => {
  const response = await site.fetch('/api/x402/agent-seo/bot-catalog', { headers: { 'PAYMENT-SIGNATURE': header } })
  await response.arrayBuffer()
  return response.status
}
const readiness = async () => {
  const response = await site.fetch('/readyz')
  return [response.status, await response.json()]
}
const status = async () => (await site.fetch('/status.md')).text()
const Pool = z.object({ pending: z.record(z.string(), z.record(z.string(), z.object({ hash: z.string() }))) })
const dropAll = async () => {
  const { pending } = Pool.parse(await money.rpc('txpool_content', []))
  const hashes = Object.values(pending).flatMap((own) => Object.values(own).map(({ hash }) => hash))
  for (const hash of hashes) await money.rpc('anvil_dropTransaction', [hash])
  return hashes.length
}

it('notices that nothing settles, starts no work meanwhile, and serves everybody afterwards without a restart', async () => {
  const gas = { settlementsLeft: expect.any(Number), isLow: false }
  const ready = [
    200,
    { ready: true, ledger: true, facilitator: true, settling: true, gas, findings: expect.any(Array) },
  ]
  expect(await readiness()).toEqual(ready)
  expect(await status()).toContain('Payments: settle.')
  expect(await buy(await sign())).toBe(200)

  await money.rpc('evm_setAutomine', [false])
  const lost = await sign()
  expect(await buy(lost)).toBe(503)
  expect(await dropAll()).toBeGreaterThan(0)
  await expect.poll(readiness).toMatchObject([503, { ready: false, settling: false }])
  expect(await status()).toContain('Payments are sent, and none of them settles at the moment.')
  expect(await buy(await sign(sandboxAccounts.pauper.privateKey))).toBe(503)

  await money.rpc('evm_setAutomine', [true])
  await money.rpc('evm_mine', [])
  await expect.poll(readiness).toEqual(ready)
  expect(await buy(lost)).toBe(200)
  expect(await buy(await sign())).toBe(200)
  expect(await buy(await sign(sandboxAccounts.pauper.privateKey))).toBe(200)
  expect(await money.transfersTo()).toHaveLength(4)
})
