import type { Browser, Page } from 'playwright'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { sandboxAccounts } from '../../src/config/sandbox-accounts.ts'
import { serveGamePages } from '../support/game-pages.ts'
import { type RunningMoney, startMoney } from '../support/money.ts'
import { openTestStore, type TestStore } from '../support/test-store.ts'

const account = privateKeyToAccount(sandboxAccounts.buyer.privateKey)
const typedData = z.looseObject({
  domain: z.object({ name: z.string(), version: z.string(), chainId: z.number(), verifyingContract: z.string() }),
  types: z.record(z.string(), z.array(z.object({ name: z.string(), type: z.string() }))),
  primaryType: z.string(),
  message: z.record(z.string(), z.string()),
})

type Call = { method: string; params?: readonly unknown[] }
type Reply = { result: unknown } | { code: number }

/** A wallet that signs with the sandbox's own key, and can be told to behave like other people's. */
const wallet =
  (manners: Readonly<Record<string, Reply>> = {}) =>
  async ({ method, params = [] }: Call): Promise<Reply> => {
    const told = manners[method]
    if (told) return told
    switch (method) {
      case 'eth_requestAccounts':
        return { result: [account.address] }
      case 'eth_chainId':
        return { result: '0x2105' }
      case 'eth_blockNumber':
        return { result: '0x10' }
      case 'eth_signTypedData_v4': {
        const { types, domain, primaryType, message } = typedData.parse(JSON.parse(z.string().parse(params[1])))
        const { EIP712Domain: _, ...own } = types
        const verifyingContract = z.templateLiteral(['0x', z.string()]).parse(domain.verifyingContract)
        const signable = { types: own, domain: { ...domain, verifyingContract }, primaryType, message }
        return { result: await account.signTypedData(signable) }
      }
      default:
        return { code: -32601 }
    }
  }

let money: RunningMoney
let store: TestStore
let pages: Awaited<ReturnType<typeof serveGamePages>>
let browser: Browser
beforeAll(async () => {
  money = await startMoney()
  store = await openTestStore({ money })
  pages = await serveGamePages({ routes: [...store.routes] })
  browser = await pages.launch()
})
afterAll(async () => {
  await browser?.close()
  await pages?.close()
  await store?.close()
  await money?.stop()
})

async function visit(answer?: (call: Call) => Promise<Reply>): Promise<Page> {
  const page = await browser.newPage()
  if (answer) {
    await page.exposeFunction('askWallet', answer)
    await page.addInitScript(`window.ethereum = { request: async (call) => {
      const reply = await window.askWallet(call)
      if ('code' in reply) throw Object.assign(new Error('the wallet said no'), reply)
      return reply.result
    } }`)
  }
  await page.goto(`${pages.url}/store.html`)
  return page
}

async function pay(page: Page, sku: string, name: string): Promise<void> {
  await page.getByLabel('For which player').fill(name)
  await page.locator(`[data-sku=${sku}] [data-pay]`).click()
}

const status = (page: Page, sku: string) => page.locator(`[data-sku=${sku}] [data-status]`)

describe('the store in a browser', () => {
  it('sells to a wallet, shows the receipt, and shows the key of a new name once', async () => {
    const page = await visit(wallet())
    await pay(page, 'death_frames_pro', 'Gawain')
    await status(page, 'death_frames_pro').getByText('It belongs to Gawain now').waitFor()
    const receipt = await status(page, 'death_frames_pro').getByRole('link', { name: 'Receipt' }).getAttribute('href')
    expect(receipt).toMatch(/^http:\/\/farthing\.test\/receipts\/r_/)
    expect(await money.transfersTo()).toMatchObject([{ from: account.address, value: 5_000_000n }])
    const token = await status(page, 'death_frames_pro').locator('.token-box code').textContent()
    await page.getByRole('button', { name: 'Play as Gawain here' }).click()
    expect(await page.evaluate('localStorage.getItem("undercroft.player")')).toBe(
      JSON.stringify({ name: 'Gawain', token }),
    )

    await page.reload()
    await page.getByText('What Gawain has').waitFor()
    await page.getByLabel('The frame around the next grave').selectOption('frame_void')
    await page.getByRole('button', { name: 'Choose it' }).click()
    await page.getByText('That is how you will lie.').waitFor()
    await pay(page, 'death_frames_pro', 'Gawain')
    await status(page, 'death_frames_pro').getByText('has this already').waitFor()
    expect(await money.transfersTo()).toHaveLength(1)
    await page.getByRole('button', { name: 'Redeem' }).click()
    await page.locator('[data-redeem-status]').getByText('has this already').waitFor()
    expect(await page.evaluate('localStorage.getItem("undercroft.purchase")')).toBeNull()
    await page.close()
  })

  it('leaves buyers without a wallet a command with their name in it', async () => {
    const page = await visit()
    await page.getByText('the buttons sleep').waitFor()
    expect(await page.locator('[data-sku=tip_3] [data-pay]').isDisabled()).toBe(true)
    await page.getByLabel('For which player').fill('Ada')
    expect(await page.locator('[data-sku=tip_3] [data-command]').first().textContent()).toContain('"playerName":"Ada"')
    await page.getByLabel('For which player').fill(`A' ; rm -rf '`)
    expect(await page.locator('[data-sku=tip_3] [data-command]').first().textContent()).not.toContain('rm')
    await page.close()
  })

  it('charges nothing when the wallet refuses, is elsewhere, holds real money while the store does not, or breaks', async () => {
    const before = (await money.transfersTo()).length
    let manners: Readonly<Record<string, Reply>> = {}
    const page = await visit((call) => wallet(manners)(call))
    const expected: [Readonly<Record<string, Reply>>, string][] = [
      [{ eth_signTypedData_v4: { code: 4001 } }, 'You said no in the wallet'],
      [{ eth_chainId: { result: '0x1' } }, 'on another chain'],
      [{ eth_blockNumber: { result: '0x2625a00' } }, 'your wallet holds real money'],
      [{ eth_signTypedData_v4: { code: -32000 } }, 'The wallet did not sign'],
    ]
    for (const [next, said] of expected) {
      manners = next
      await pay(page, 'tip_3', 'Ada')
      await status(page, 'tip_3').getByText(said).waitFor()
    }
    expect(await money.transfersTo()).toHaveLength(before)
    await page.close()
  })

  it('signs again only in place of what it signed before, and says until when that stays good', async () => {
    const before = (await money.transfersTo()).length
    const signed: Record<string, string>[] = []
    const page = await visit(async (call) => {
      if (call.method === 'eth_signTypedData_v4')
        signed.push(typedData.parse(JSON.parse(z.string().parse(call.params?.[1]))).message)
      return wallet()(call)
    })
    const sent: string[] = []
    let demand = ''
    page.on('response', (response) => (demand ||= response.headers()['payment-required'] ?? ''))
    await page.route('**/api/store/unlock', (route) => {
      const header = route.request().headers()['payment-signature']
      if (header === undefined) return route.continue()
      sent.push(header)
      const reason = ['sold_out', 'sold_out', 'invalid_exact_evm_payload_authorization_valid_before'][sent.length - 1]
      if (reason === undefined) return route.continue()
      const required = { ...z.looseObject({}).parse(JSON.parse(atob(demand))), error: reason }
      return route.fulfill({
        status: 402,
        headers: { 'payment-required': btoa(JSON.stringify(required)) },
        json: { detail: `Not now (${reason}).`, charged: false },
      })
    })
    for (const times of [1, 2]) {
      await pay(page, 'tip_3', 'Ada')
      await status(page, 'tip_3').getByText('stays good until').waitFor()
      await expect.poll(() => sent.length).toBe(times)
    }
    expect(await status(page, 'tip_3').textContent()).not.toContain('Nothing was charged')
    expect([signed.length, new Set(sent).size]).toEqual([1, 1])

    await page.reload()
    await pay(page, 'tip_3', 'Ada')
    await status(page, 'tip_3').getByText('Thank you').waitFor()
    expect([signed.length, sent.length]).toEqual([2, 4])
    expect(new Set(signed.map(({ nonce }) => nonce)).size).toBe(1)
    expect(await money.transfersTo()).toHaveLength(before + 1)
    expect(await page.evaluate('localStorage.getItem("undercroft.purchase")')).toBeNull()
    await page.close()
  })
})
