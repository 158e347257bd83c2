import { randomBytes } from 'node:crypto'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sandboxPayTo } from '../../src/config/sandbox-accounts.ts'
import type { LedgerDatabase } from '../../src/storage/open-ledger-database.ts'
import { fund } from '../support/hostile-wallets.ts'
import { type RunningMoney, startMoney } from '../support/money.ts'
import { type RunningSite, startSite } from '../support/running-site.ts'
import { type PaymentWish, type SignedPayment, signPayment } from '../support/signed-payments.ts'
import { openTestLedger } from '../support/test-databases.ts'

const narrate = { path: '/api/x402/media/narrate', amount: 50_000n }
const skill = { path: '/api/x402/agent-seo/bot-catalog', amount: 50_000n }
/** A text whose narration takes far longer than this test. */
const long = 'The harbour was quiet, and nobody had asked the lamp what it thought of the weather. '.repeat(110)

let money: RunningMoney
let site: RunningSite
let books: LedgerDatabase
beforeAll(async () => {
  money = await startMoney()
  site = await startSite({ ...money, env: { RATE_LIMITS: 'on', TRUSTED_PROXIES: '1' } })
  books = await openTestLedger(site.dataDir)
})
afterAll(async () => {
  await books?.destroy()
  await site?.kill('SIGTERM')
  await money?.stop()
})

/** Makes a wallet with this balance in micro-USD, and returns its private key. */
async function openWallet(balance: bigint): Promise<`0x${string}`> {
  const privateKey: `0x${string}` = `0x${randomBytes(32).toString('hex')}`
  await fund(money.rpc, privateKeyToAccount(privateKey).address, balance)
  return privateKey
}

const sign = (wish: Partial<PaymentWish> & Pick<PaymentWish, 'amount'>): Promise<SignedPayment> =>
  signPayment({ payTo: sandboxPayTo, token: 'a-token', ...wish })

function send(path: string, { header }: SignedPayment, address: string, more: RequestInit = {}): Promise<Response> {
  const { headers, ...init } = more
  return site.fetch(path, {
    ...init,
    headers: { 'PAYMENT-SIGNATURE': header, 'x-forwarded-for': address, ...Object.fromEntries(new Headers(headers)) },
  })
}

const speak = (text: string, signal?: AbortSignal): RequestInit => ({
  method: 'POST',
  body: JSON.stringify({ text }),
  headers: { 'content-type': 'application/json' },
  ...(signal && { signal }),
})

async function states(): Promise<string[]> {
  const rows = await books.selectFrom('payment').select('state').orderBy('state').execute()
  return rows.map(({ state }) => state)
}

describe('sending a request and hanging up', () => {
  it('stops the work, keeps nothing, and leaves the places to others', async () => {
    for (let count = 0; count < 5; count++) {
      const gone = new AbortController()
      const payment = await sign({ ...narrate, privateKey: await openWallet(1_000_000n) })
      const answer = send(narrate.path, payment, `198.51.100.${count}`, speak(`${count} ${long}`, gone.signal))
      await expect.poll(states, { interval: 20 }).toEqual(['working'])
      gone.abort()
      await expect(answer).rejects.toThrow()
      await expect.poll(states, { interval: 20 }).toEqual([])
    }
    const honest = await sign({ ...narrate, privateKey: await openWallet(1_000_000n) })
    const spoken = await send(narrate.path, honest, '203.0.113.9', speak('A farthing was a quarter of a penny.'))
    expect(spoken.status).toBe(200)
    expect(await states()).toEqual(['settled'])
  })

  it('is counted: an address that does it again and again has to wait, whichever wallet it uses', async () => {
    const statuses: number[] = []
    for (let count = 0; count < 8 && !statuses.includes(429); count++) {
      const gone = new AbortController()
      const payment = await sign({ ...narrate, privateKey: await openWallet(1_000_000n) })
      const answer = send(narrate.path, payment, '198.51.100.200', speak(`${count} again ${long}`, gone.signal)).then(
        ({ status }) => status,
        () => 0,
      )
      let isOver = false
      void answer.then(() => {
        isOver = true
      })
      await expect.poll(async () => isOver || (await states()).includes('working'), { interval: 20 }).toBe(true)
      gone.abort()
      statuses.push(await answer)
      await expect.poll(states, { interval: 20 }).not.toContain('working')
    }
    expect(statuses).toContain(429)
  })
})

describe('an authorization that lasts for centuries', () => {
  it('is refused, because an unpaid product would be kept for as long', async () => {
    const payment = await sign({ ...skill, validBefore: 9_000_000_000 })
    const answer = await send(skill.path, payment, '203.0.113.9')
    expect(answer.status).toBe(402)
    expect((await answer.json()).error).toBe('invalid_exact_evm_payload_authorization_valid_before')
  })
})

describe('many orders of a wallet that can pay for one', () => {
  it('start work for one of them, and the others are refused before any work', async () => {
    const privateKey = await openWallet(skill.amount)
    const payments = await Promise.all(Array.from({ length: 6 }, () => sign({ ...skill, privateKey })))
    const answers = await Promise.all(payments.map((payment) => send(skill.path, payment, '198.51.100.150')))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 402, 402, 402, 402, 402])
    expect((await states()).filter((state) => state === 'ready').length).toBeLessThanOrEqual(1)
  })
})
