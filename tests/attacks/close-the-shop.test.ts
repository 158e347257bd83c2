import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { sandboxAccounts, sandboxPayTo } from '../../src/config/sandbox-accounts.ts'
import { type FaultyFacilitator, startFaultyFacilitator } from '../support/faulty-facilitator.ts'
import {
  deployWallet,
  fund,
  garbageErc6492,
  type Manner,
  signForWallet,
  wrapErc6492,
} from '../support/hostile-wallets.ts'
import { type RunningMoney, startMoney } from '../support/money.ts'
import { type RunningSite, startSite } from '../support/running-site.ts'
import { encodeHeader, type PaymentWish, type SignedPayment, signPayment } from '../support/signed-payments.ts'

const path = '/api/x402/agent-seo/bot-catalog'
const wish = { amount: 50_000n, payTo: sandboxPayTo }
const [attacker, buyer] = ['198.51.100.7', '203.0.113.9']

let money: RunningMoney
let facilitator: FaultyFacilitator
let site: RunningSite
beforeAll(async () => {
  money = await startMoney()
  facilitator = await startFaultyFacilitator({ upstreamUrl: money.facilitatorUrl })
  const env = { RATE_LIMITS: 'on', TRUSTED_PROXIES: '1' }
  site = await startSite({ facilitatorUrl: facilitator.url, rpcUrl: money.rpcUrl, env })
})
afterAll(async () => {
  await site?.kill('SIGTERM')
  await facilitator?.close()
  await money?.stop()
})

const sign = (more: Partial<PaymentWish> = {}): Promise<SignedPayment> =>
  signPayment({ ...wish, token: 'a-token', ...more })

async function ask(address: string, header: string): Promise<number> {
  const response = await site.fetch(path, { headers: { 'PAYMENT-SIGNATURE': header, 'x-forwarded-for': address } })
  await response.arrayBuffer()
  return response.status
}

async function expectOpen(): Promise<void> {
  for (let count = 0; count < 3; count++) expect(await ask(buyer, (await sign()).header)).toBe(200)
}

it('garbage with the ERC-6492 suffix is refused before the facilitator is asked, and honest buyers are served', async () => {
  const calls = facilitator.calls.verify
  for (let count = 0; count < 12; count++) {
    const { payload } = await sign()
    const garbage = { ...payload, payload: { ...payload.payload, signature: garbageErc6492() } }
    expect(await ask(attacker, encodeHeader(garbage))).toBe(402)
  }
  expect(facilitator.calls.verify).toBe(calls)
  await expectOpen()
})

it('payments on which the facilitator fails again and again do not close the shop for others', async () => {
  for (let count = 0; count < 9; count++) {
    facilitator.faults.verify.push(count % 2 === 0 ? 'status-500-before' : 'garbage')
    expect(await ask(`198.51.100.${20 + (count % 3)}`, (await sign()).header)).toBe(503)
    expect(facilitator.faults.verify).toEqual([])
  }
  await expectOpen()
})

it('their sender is soon rate-limited, and others are not', async () => {
  const statuses: number[] = []
  for (let count = 0; count < 20; count++) {
    facilitator.faults.verify.push('status-500-before')
    statuses.push(await ask('198.51.100.40', (await sign()).header))
  }
  facilitator.faults.verify.length = 0
  expect(statuses.slice(0, 5)).toEqual(Array.from({ length: 5 }, () => 503))
  // On a slow machine enough time passes for one more of them to be admitted.
  expect(statuses.slice(-5).filter((status) => status === 429).length).toBeGreaterThanOrEqual(3)
  await expectOpen()
})

const manners: Manner[] = ['reverts', 'rubbish', 'burns', 'loops', 'simulated', 'costly']
it.each(manners)('a contract wallet that %s is refused without closing the shop for others', async (manner) => {
  const wallet = await deployWallet(money.rpc, manner, { figure: 5_000_000n })
  const statuses: number[] = []
  for (let count = 0; count < 6; count++) {
    const { header } = await signForWallet(wallet, wish)
    statuses.push(await ask(`198.51.100.${60 + manners.indexOf(manner)}`, header))
  }
  expect(statuses.every((status) => [402, 429, 503].includes(status))).toBe(true)
  await expectOpen()
})

it('an undeployed wallet whose factory is not a contract is refused without closing the shop for others', async () => {
  const wallet = privateKeyToAddress(generatePrivateKey())
  await fund(money.rpc, wallet, 100_000_000n)
  for (let count = 0; count < 6; count++) {
    const { header } = await signForWallet(wallet, wish, wrapErc6492(sandboxAccounts.pauper.address, '0x1234'))
    expect(await ask('198.51.100.80', header)).toBe(402)
  }
  await expectOpen()
})
