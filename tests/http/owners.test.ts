import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sandboxAccounts } from '../../src/config/sandbox-accounts.ts'
import { connectBuyer, type McpBuyer, textOf } from '../support/mcp-buyer.ts'
import { type RunningMoney, startMoney } from '../support/money.ts'
import { runProgram } from '../support/run-program.ts'
import { type RunningSite, startSite, testBaseUrl } from '../support/running-site.ts'
import { decodeHeader, payingFetch } from '../support/stock-client.ts'

let money: RunningMoney
let site: RunningSite
let agent: McpBuyer
beforeAll(async () => {
  money = await startMoney()
  site = await startSite(money)
  agent = await connectBuyer(site.fetch)
})
afterAll(async () => {
  await agent?.close()
  await site?.kill('SIGTERM')
  await money?.stop()
})

const pay = () => payingFetch(sandboxAccounts.buyer.privateKey, site.fetch)
const moved = async () => (await money.transfersTo()).length
const shown = async (answer: Response) => ({
  text: await answer.text(),
  receipt: answer.headers.get('x-receipt-id'),
  charged: answer.headers.get('x-charged'),
  settled: decodeHeader(answer.headers.get('payment-response')),
})

it.each(['/skills/no-such-skill/raw', '/api/library.json', '/api/library.csv', '/api/library/r_none'])(
  'a refusal at %s contains the id of its request, by which the operator finds it',
  async (path) => {
    const refused = await site.fetch(path)
    expect(await refused.json()).toMatchObject({ instance: `urn:request:${refused.headers.get('x-request-id')}` })
  },
)

describe('an unmodified client that lost what it bought, and asks for it as if it were new', () => {
  it.each([
    ['a skill', '/skills/feed-doctor/raw'],
    ['every post as text', '/llms-full.txt'],
    ['the posts export', '/api/export/posts'],
  ])('gets %s again by HTTP, the same bytes under the same receipt, and pays nothing', async (_, path) => {
    const first = await shown(await pay()(testBaseUrl + path))
    const paid = await moved()
    const again = await shown(await pay()(testBaseUrl + path))
    expect(again).toEqual({ ...first, charged: 'false', settled: { ...Object(first.settled), amount: '0' } })
    expect([await moved(), first.charged]).toEqual([paid, null])
  })

  it('gets a skill by MCP that it bought by HTTP, and pays nothing', async () => {
    const path = '/skills/x402-seller/raw'
    const first = await shown(await pay()(testBaseUrl + path))
    const paid = await moved()
    const { bought } = await agent.buy('buy_skill', { slug: 'x402-seller' })
    expect([textOf(bought), bought.isError]).toEqual([first.text, false])
    expect(bought._meta).toMatchObject({
      charged: false,
      receipt: { id: first.receipt },
      'x402/payment-response': { success: true, amount: '0' },
    })
    expect(await moved()).toBe(paid)
  })

  it('pays for a hosted API again, which works again', async () => {
    const { length } = await money.transfersTo()
    for (let call = 0; call < 2; call++)
      expect((await pay()(`${testBaseUrl}/api/x402/agent-seo/bot-catalog`)).status).toBe(200)
    expect(await moved()).toBe(length + 2)
  })
})

describe('the buying program', () => {
  const home = mkdtempSync(join(tmpdir(), 'farthing-home-'))
  const state = join(home, '.local/state/farthing')
  const buy = async () => {
    const program = join(import.meta.dirname, '../../src/buyer/main.ts')
    const url = `http://127.0.0.1:${site.port}/skills/mcp-server-craft/raw`
    const env = { PATH: process.env['PATH'] ?? '', HOME: home, FARTHING_PRIVATE_KEY: sandboxAccounts.buyer.privateKey }
    const { stdout } = await runProgram(process.execPath, [program, url, '--json'], { cwd: home, env })
    return JSON.parse(stdout.toString())
  }

  it('records what it bought and fetches it again unsigned; without the record it proves that it is the owner', async () => {
    const before = await moved()
    const first = await buy()
    expect(first).toMatchObject({ outcome: 'bought', exitCode: 0, receiptUrl: expect.stringContaining('/receipts/r_') })
    expect(first).not.toHaveProperty('charged')
    const { product, receiptUrl } = first
    expect(await buy()).toMatchObject({ outcome: 'again', exitCode: 0, charged: false, product, receiptUrl })
    rmSync(join(state, 'bought'), { recursive: true })
    expect(await buy()).toMatchObject({ outcome: 'bought', charged: false, product, receiptUrl })
    expect(readdirSync(join(state, 'purchases'))).toEqual([])
    expect(await moved()).toBe(before + 1)
  })
})
