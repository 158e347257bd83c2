import { mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createPublicClient, http, parseAbi } from 'viem'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { makeBuyerBundle } from '../../src/build/buyer-bundle.ts'
import { sandboxAccounts } from '../../src/config/sandbox-accounts.ts'
import { usdcAddress } from '../../src/core/chain-constants.ts'
import { type Authorized, makeChainActions } from '../support/chain-actions.ts'
import { type HostileShop, openHostileShop, plainTerms, type Trick, type Visit } from '../support/hostile-shop.ts'
import { type RunningMoney, startMoney } from '../support/money.ts'
import { runProgram } from '../support/run-program.ts'

const root = join(import.meta.dirname, '../..')
const bundle = join(mkdtempSync(join(tmpdir(), 'farthing-bundle-')), 'buy.mjs')
/** The wallet with this number. `next` names another one for every payment that arrives. */
const other = (n: number) => `0x${String(n + 1).repeat(40)}`
const next = ({ before, payment }: Visit) => other(before + (payment ? 1 : 0))
const { address, privateKey } = sandboxAccounts.buyer
const erc20 = parseAbi(['function balanceOf(address owner) view returns (uint256)'])

let money: RunningMoney
let shop: HostileShop
let home: string
beforeAll(async () => {
  writeFileSync(bundle, (await makeBuyerBundle(root)).code)
  money = await startMoney()
  shop = await openHostileShop(() => ({}))
  shop.onPayment = collect
})
afterAll(async () => {
  await shop?.close()
  await money?.stop()
})
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'farthing-home-'))
  shop.taken.length = 0
})

/** Sends a payment to the chain, as the hostile shop does when it gets one and again later; most of these revert. */
async function collect(payment: Authorized): Promise<void> {
  await makeChainActions(money.rpcUrl)
    .broadcast(payment)
    .catch(() => {})
}
const balance = () =>
  createPublicClient({ transport: http(money.rpcUrl) }).readContract({
    address: usdcAddress,
    abi: erc20,
    functionName: 'balanceOf',
    args: [address],
  })

/** One run of the published program, with its clock this many seconds in the future. */
async function buy(args: readonly string[] = [], { path = '/thing', laterSeconds = 0 } = {}) {
  const clock = `const real = Date.now; Date.now = () => real() + ${laterSeconds * 1000}`
  const { status, stdout, stderr } = await runProgram(
    process.execPath,
    ['--import', `data:text/javascript,${encodeURIComponent(clock)}`, bundle, `${shop.url}${path}`, ...args],
    { cwd: home, env: { PATH: process.env['PATH'] ?? '', HOME: home, FARTHING_PRIVATE_KEY: privateKey } },
  )
  return { status, shown: `${stdout.toString()}${stderr}` }
}

/** What the wallet lost in an attack, in micro-USD, after the shop has sent every signature that it holds once more. */
async function lossOf(attack: () => Promise<unknown>): Promise<bigint> {
  const before = await balance()
  await attack()
  for (const payment of shop.taken) await collect(payment)
  return before - (await balance())
}
const nonces = () => new Set(shop.taken.map(({ payload }) => payload.payload.authorization.nonce))
const cap = ['--max-usd', '0.10']
/** A time of the shop at which every signature of these runs has expired. */
const ahead = { date: 'Sat, 01 Jan 2050 00:00:00 GMT' }

const tricks: [string, (visit: Visit) => Trick][] = [
  ['another wallet each time', (visit) => ({ terms: { payTo: next(visit) } })],
  [
    'another wallet and the claim that the nonce is used',
    (visit) => ({ terms: { payTo: next(visit) }, reason: 'payment_already_used' }),
  ],
  [
    'a cheaper price each time',
    ({ before, payment }) => ({
      terms: { amount: String(100_000 - before - (payment ? 1 : 0)) },
      reason: 'value_mismatch',
    }),
  ],
  ['the claim that the signature has expired', () => ({ reason: 'invalid_exact_evm_payload_valid_before' })],
  [
    'a 503 first and another wallet then',
    (visit) =>
      visit.payment && visit.before % 2 === 0
        ? { status: 503, headers: { 'retry-after': '0' }, body: { charged: false } }
        : { terms: { payTo: next(visit) } },
  ],
]

describe('a shop that keeps a signature and asks for a second one', () => {
  it.each(tricks)('by %s gets no more than the limit, over several runs and hours', async (_, answer) => {
    shop.answer = (visit) => {
      const trick = answer(visit)
      return { ...trick, headers: { ...trick.headers, ...ahead } }
    }
    const shown: string[] = []
    const lost = await lossOf(async () => {
      for (const laterSeconds of [0, 0, 7200, 14_400]) {
        const run = await buy(cap, { laterSeconds })
        expect(run.status).not.toBe(0)
        shown.push(run.shown)
      }
    })
    expect(lost).toBeLessThanOrEqual(100_000n)
    expect(shop.taken.length).toBeGreaterThan(1)
    expect(nonces().size).toBe(1)
    for (const text of shown) expect(text).not.toMatch(/no money moved|nothing was (paid|charged)/i)
  })

  it('may get a second payment only where the limit allows for both, and only when the first signature has expired', async () => {
    shop.answer = (visit) => ({ terms: { payTo: next(visit) }, reason: 'payment_already_used', headers: ahead })
    const wide = ['--max-usd', '0.25']
    expect(
      await lossOf(async () => {
        await buy(wide)
        await buy(wide)
        expect(nonces().size).toBe(1)
        for (const hours of [2, 4, 6, 8]) await buy(wide, { laterSeconds: hours * 3600 })
      }),
    ).toBe(200_000n)
    expect(nonces().size).toBe(2)
  })

  it('gets no more for another path while the first signature can be collected, unless the limit allows for both', async () => {
    shop.answer = () => ({ reason: 'sold_out' })
    expect(
      await lossOf(async () => {
        await buy(cap)
        const second = await buy(cap, { path: '/other' })
        expect(second).toMatchObject({ status: 3, shown: expect.stringContaining('$0.10') })
        await buy(['--max-usd', '0.20'], { path: '/other' })
      }),
    ).toBe(200_000n)
    expect(nonces().size).toBe(2)
  })

  it('is reported with what is at risk, to whom and until when', async () => {
    shop.answer = (visit) => ({ terms: { payTo: next(visit) } })
    const { status, shown } = await buy([...cap, '--json'])
    expect(status).toBe(5)
    for (const part of ['$0.10', other(0), other(1), 'at risk']) expect(shown).toContain(part)
    const [first, second] = shop.taken.map(({ payload }) => payload.payload.authorization)
    const last = Math.max(Number(first?.validBefore), Number(second?.validBefore))
    expect(shown).toContain(new Date(last * 1000).toISOString().replace('.000Z', 'Z'))
    expect(JSON.parse(shown.slice(0, shown.indexOf('}\n') + 1))).toMatchObject({
      outcome: 'payment-refused',
      exitCode: 5,
      atRisk: [{ amountMicroUsd: plainTerms.amount, payTo: [other(0), other(1)] }],
    })
  })

  it('gets no more from the buyer that the skill on buying teaches', async () => {
    const text = readFileSync(join(root, 'content/skills/x402-buyer/SKILL.md'), 'utf8')
    for (const [, code = '', name = ''] of text.matchAll(
      /```ts\n(\/\/ (purchases|buy)\.ts\n[^`]*(?:`(?!``)[^`]*)*)```/g,
    ))
      writeFileSync(join(home, `${name}.ts`), code.replace('await wait(6)', 'await wait(0.1)'))
    symlinkSync(join(root, 'node_modules'), join(home, 'node_modules'))
    const order = JSON.stringify({ method: 'GET', url: `${shop.url}/thing` })
    const limits = '{ perPurchase: 150_000n, perDay: 1_000_000n }'
    writeFileSync(
      join(home, 'run.ts'),
      `import { buy } from './buy.ts'
       for (let n = 0; n < 3; n++) await buy(${order}, ${limits}, () => {}).catch(({ message }) => console.log(message))`,
    )
    writeFileSync(join(home, 'package.json'), '{"type":"module"}')
    // Nothing is sent to the chain yet: the buyer disputes a signature that the chain has seen, and never replaces it.
    shop.onPayment = async () => {}
    shop.answer = (visit) => ({
      terms: { payTo: next(visit), amount: String(100_000 + visit.before) },
      reason: 'sold_out',
    })
    let shown = ''
    const lost = await lossOf(async () => {
      const { stdout, stderr } = await runProgram(process.execPath, ['run.ts'], {
        cwd: home,
        env: { BUYER_PRIVATE_KEY: privateKey, RPC_URL: money.rpcUrl, X402_DIR: join(home, 'kept') },
      })
      shown = `${stdout.toString()}${stderr}`
    })
    shop.onPayment = collect
    expect(shown).toBe('refused: sold_out\nrefused: sold_out\nrefused: sold_out\n')
    expect([shop.taken.length, nonces().size]).toEqual([3, 1])
    expect(lost).toBeLessThanOrEqual(100_002n)
  })
})
