import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readFields } from '../../src/browser/read-value.ts'
import { sandboxAccounts } from '../../src/config/sandbox-accounts.ts'
import { usdcAddress } from '../../src/core/chain-constants.ts'
import { makeTestWalletRoute } from '../../src/sandbox/test-wallet-route.ts'
import { type Call, giveWallets, type Reply, readTypedData, toWallet } from '../support/browser-wallets.ts'
import { serveGamePages } from '../support/game-pages.ts'
import { type RunningMoney, startMoney } from '../support/money.ts'
import { openTestStore, type TestStore } from '../support/test-store.ts'

let money: RunningMoney
let store: TestStore
let pages: Awaited<ReturnType<typeof serveGamePages>>
let browser: Browser
beforeAll(async () => {
  money = await startMoney()
  store = await openTestStore({ money })
  pages = await serveGamePages({ routes: [...store.routes, makeTestWalletRoute(usdcAddress)] })
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
  if (answer) await giveWallets(page, { ethereum: answer })
  await page.goto(`${pages.url}/store.html`)
  return page
}

async function pay(page: Page, sku: string, name: string): Promise<void> {
  await page.getByLabel('For which player').fill(name)
  await page.locator(`[data-sku=${sku}] [data-buy-own]`).click()
}

const status = (page: Page, sku: string) => page.locator(`[data-sku=${sku}] [data-status]`)

const bought = (page: Page, sku: string) => page.locator(`[data-sku=${sku}] [data-bought]`)

describe('the store in a browser', () => {
  it('takes a tip with one click from the sandbox’s test wallet, and keeps every message available to screen readers', async () => {
    const page = await visit()
    await page.getByLabel('For which player').fill('Ada')
    // A region with aria-busy is not read out until it is done, and then its earlier messages are skipped.
    const hidden = await status(page, 'tip_3').evaluateHandle((place) => {
      const told: (string | null)[] = []
      const look = () => place.closest('[aria-busy=true]') && told.push(place.textContent)
      new MutationObserver(look).observe(place, { childList: true })
      return told
    })
    await page.getByRole('button', { name: 'Pay $3.00' }).click()
    await status(page, 'tip_3').getByText('It belongs to Ada now').waitFor()
    expect(await hidden.jsonValue()).toEqual([])
    expect(await money.transfersTo()).toMatchObject([{ from: sandboxAccounts.buyer.address, value: 3_000_000n }])
    await page.close()
  })

  it('sells to a wallet, shows the receipt, and shows the token of a new name once', async () => {
    const page = await visit(toWallet(sandboxAccounts.buyer))
    await pay(page, 'death_frames_pro', 'Gawain')
    await status(page, 'death_frames_pro').getByText('It belongs to Gawain now').waitFor()
    const receipt = await bought(page, 'death_frames_pro').getByRole('link', { name: 'Receipt' }).getAttribute('href')
    expect(receipt).toMatch(/^http:\/\/farthing\.test\/receipts\/r_/)
    expect((await money.transfersTo()).at(-1)).toMatchObject({ value: 5_000_000n })
    const token = await bought(page, 'death_frames_pro').locator('.token-box code').textContent()
    await page.getByRole('button', { name: 'Play as Gawain here' }).click()
    expect(await page.evaluate('localStorage.getItem("undercroft.player")')).toBe(
      JSON.stringify({ name: 'Gawain', token }),
    )

    await page.reload()
    await page.getByText('What Gawain has').waitFor()
    expect(await page.getByLabel('A line for the entrance wall').isVisible()).toBe(false)
    await page.setViewportSize({ width: 390, height: 844 })
    const frames = await page.getByLabel('The frame around your next gravestone').boundingBox()
    expect(frames?.width).toBeGreaterThan(200)
    await page.getByLabel('The frame around your next gravestone').selectOption('frame_void')
    await page.getByRole('button', { name: 'Use it' }).click()
    await page.getByText('Your next gravestone will have it.').waitFor()
    await pay(page, 'death_frames_pro', 'Gawain')
    await status(page, 'death_frames_pro').getByText('has this already').waitFor()
    expect(await money.transfersTo()).toHaveLength(2)
    await page.getByRole('button', { name: 'Redeem' }).click()
    await page.locator('[data-redeem-status]').getByText('has this already').waitFor()
    expect(await page.evaluate('Object.keys(localStorage).filter((name) => name.includes("purchase"))')).toEqual([])
    await page.close()
  })

  it('shows the tokens of all names that one product was bought for, now and before the page was opened', async () => {
    const keys = (page: Page) => bought(page, 'tip_3').locator('.token-box code').allTextContents()
    const context = await browser.newContext()
    await giveWallets(context, { ethereum: toWallet(sandboxAccounts.buyer) })
    // The signed requests arrive only after the pages are closed.
    await context.route('**/api/store/unlock', (route) =>
      route.request().headers()['payment-signature'] === undefined ? route.continue() : route.abort(),
    )
    for (const name of ['Erec', 'Enide']) {
      const early = await context.newPage()
      await early.goto(`${pages.url}/store.html`)
      await pay(early, 'tip_3', name)
      await expect.poll(() => early.evaluate('Object.values(localStorage).join()')).toContain(name)
    }
    for (const early of context.pages()) await early.close()
    await context.unroute('**/api/store/unlock')
    const page = await context.newPage()
    await page.goto(`${pages.url}/store.html`)
    await expect.poll(() => keys(page)).toHaveLength(2)
    const before = await keys(page)
    await pay(page, 'tip_3', 'Yvain')
    await expect.poll(() => keys(page)).toHaveLength(3)
    expect((await keys(page)).slice(0, 2)).toEqual(before)
    expect(new Set(await keys(page)).size).toBe(3)
    await context.close()
  })

  it('asks before it forgets the token of the player in this browser, and shows that token', async () => {
    const page = await visit(toWallet(sandboxAccounts.buyer))
    const player = () => page.evaluate('localStorage.getItem("undercroft.player")')
    const before = JSON.stringify({ name: 'Iwein', token: 'rt_of_iwein' })
    await page.evaluate(`localStorage.setItem("undercroft.player", ${JSON.stringify(before)})`)
    await pay(page, 'tip_3', 'Laudine')
    const use = page.getByRole('button', { name: 'Play as Laudine here' })
    await use.click()
    await page.getByText('This browser plays as Iwein. It would forget that key').waitFor()
    expect(await player()).toBe(before)
    await page.getByRole('button', { name: 'Copy the key of Iwein' }).click()
    await page.locator('.token-box [role=status]').getByText('rt_of_iwein').waitFor()
    await use.click()
    expect(await player()).toContain('Laudine')
    await page.close()
  })

  it('shows buyers without a wallet a command with their name in it', async () => {
    const page = await visit()
    await pay(page, 'tip_3', 'Ada')
    await status(page, 'tip_3').getByText('No wallet of this browser can be asked, and nothing was charged').waitFor()
    expect(await page.locator('[data-sku=tip_3] [data-command]').first().textContent()).toContain('"playerName":"Ada"')
    await page.getByLabel('For which player').fill(`A' ; rm -rf '`)
    expect(await page.locator('[data-sku=tip_3] [data-command]').first().textContent()).not.toContain('rm')
    await page.close()
  })

  it('charges nothing when the wallet refuses, is on another chain, holds real money in a sandbox, or fails', async () => {
    const before = (await money.transfersTo()).length
    let manners: Readonly<Record<string, Reply>> = {}
    const page = await visit((call) => toWallet(sandboxAccounts.buyer, manners)(call))
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

  it('signs again only with the nonce that it signed before, and says until when that signature stays valid', async () => {
    const before = (await money.transfersTo()).length
    const signed: Record<string, string>[] = []
    const page = await visit(async (call) => {
      if (call.method === 'eth_signTypedData_v4') signed.push(readTypedData(call).message)
      return toWallet(sandboxAccounts.buyer)(call)
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
      const required = { ...readFields(JSON.parse(atob(demand))), error: reason }
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
    expect(await page.evaluate('Object.keys(localStorage).filter((name) => name.includes("purchase"))')).toEqual([])
    await page.close()
  })
})
