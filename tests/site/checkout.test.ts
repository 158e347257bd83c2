import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import axe from 'axe-core'
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sandboxAccounts, sandboxPayTo } from '../../src/config/sandbox-accounts.ts'
import { testWalletPath } from '../../src/core/test-wallet-path.ts'
import { type Answers, giveWallets, type Reply, readTypedData, toWallet } from '../support/browser-wallets.ts'
import { type RunningMoney, startMoney } from '../support/money.ts'
import { type RunningSite, startSite, testBaseUrl } from '../support/running-site.ts'
import { launchFor } from '../support/site-browser.ts'

const { buyer, pauper } = sandboxAccounts
/** A wallet pays for a skill once, so each test that buys one uses another skill. */
const skill = '/skills/x402-seller'

let money: RunningMoney
let site: RunningSite
let browser: Browser
beforeAll(async () => {
  money = await startMoney()
  site = await startSite({ facilitatorUrl: money.facilitatorUrl, rpcUrl: money.rpcUrl })
  browser = await launchFor(site)
})
afterAll(async () => {
  await browser?.close()
  await site?.kill('SIGTERM')
  await money?.stop()
})

interface Visitor extends BrowserContextOptions {
  readonly isLive?: boolean
}

/** A browser context with these wallets; `isLive` removes the sandbox's test wallet from pages, as on a live site. */
async function visitor(wallets: Readonly<Record<string, Answers>> = {}, { isLive = false, ...options }: Visitor = {}) {
  const context = await browser.newContext({ reducedMotion: 'reduce', ...options })
  await giveWallets(context, wallets)
  if (isLive)
    await context.addInitScript(() => {
      const strip = () => document.querySelector('[data-test-wallet]')?.removeAttribute('data-test-wallet')
      new MutationObserver(strip).observe(document, { childList: true, subtree: true })
    })
  return context
}

async function open(context: BrowserContext, path: string) {
  const page = await context.newPage()
  await page.goto(testBaseUrl + path)
  return page
}

/** A barrier: each caller waits until `size` callers have arrived. */
function meeting(size: number): () => Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  let present = 0
  return () => {
    present += 1
    if (present === size) resolve()
    return promise
  }
}

const buyOf = (page: Page) => page.getByRole('button', { name: /^Buy for \$/ })
const ownOf = (page: Page) => page.getByRole('button', { name: 'Pay with my own wallet' })
const said = (page: Page) => page.locator('[data-checkout] [data-status]')
const yours = (page: Page) => page.getByRole('heading', { name: /^Yours: / })
const kept = (page: Page) =>
  page.evaluate(() => {
    const purchases = Object.entries(localStorage).filter(([name]) => name.startsWith('farthing.purchase '))
    return purchases.length > 0 ? JSON.stringify(purchases) : null
  })
const paid = () => money.balanceOf(sandboxPayTo)

/** Turns the purchases of a skill into purchases of an earlier version, as if a new one had been published since. */
function ageSkill(path: string): void {
  const db = new DatabaseSync(join(site.dataDir, 'ledger.db'), { timeout: 5000 })
  try {
    const aged = db.prepare(`update payment set version = '0.0.1', digest = 'of other bytes' where path = ?`)
    expect(aged.run(`${path}/raw`).changes).toBe(1)
  } finally {
    db.close()
  }
}

async function save(page: Page) {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: /^Save / }).click(),
  ])
  return { name: download.suggestedFilename(), bytes: await readFile(await download.path()) }
}

async function violations(page: Page): Promise<unknown> {
  await page.evaluate(axe.source)
  return page.evaluate('axe.run().then(({ violations }) => violations.map(({ id, nodes }) => [id, nodes[0].html]))')
}

describe('buying in the browser', () => {
  it('takes one click in a sandbox: a skill is shown, is saved under its name, and has its receipt', async () => {
    const context = await visitor()
    const page = await open(context, skill)
    const complaints: string[] = []
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
    const before = [await paid(), await money.balanceOf(buyer.address)]
    await buyOf(page).click()
    await yours(page).waitFor()
    expect([await paid(), await money.balanceOf(buyer.address)]).toEqual([
      (before[0] ?? 0n) + 100_000n,
      (before[1] ?? 0n) - 100_000n,
    ])
    expect(await yours(page).evaluate((heading) => heading === document.activeElement)).toBe(true)
    const file = await save(page)
    expect(file.name).toBe('SKILL.md')
    expect(await page.locator('[data-bought] code').first().textContent()).toBe(file.bytes.toString())
    expect(file.bytes.toString()).toContain('name: x402-seller')
    expect(await kept(page)).toBeNull()
    // The 402 response is logged by the browser; violations of the policy would be, too.
    expect(complaints.filter((text) => !text.includes('402'))).toEqual([])
    for (const width of [390, 1280]) {
      await page.setViewportSize({ width, height: 900 })
      expect(await violations(page)).toEqual([])
    }
    await page.getByRole('link', { name: 'Receipt' }).click()
    await page.getByText('Paid and settled').waitFor()
    await context.close()
  })

  it('pays once in two tabs that buy at the same moment, and tells one of them that it is owned already', async () => {
    const context = await visitor()
    const sent: string[] = []
    const [signing, sending] = [meeting(2), meeting(2)]
    // Both tabs sign before either stores its signature, so that neither finds the other's.
    await context.route(`**${testWalletPath}`, async (route) => {
      await signing()
      await route.continue()
    })
    await context.route('**/raw', async (route) => {
      const header = route.request().headers()['payment-signature']
      if (header !== undefined) {
        sent.push(header)
        await sending()
      }
      await route.continue()
    })
    const tabs = [await open(context, '/skills/mcp-server-craft'), await open(context, '/skills/mcp-server-craft')]
    const before = await paid()
    await Promise.all(tabs.map((tab) => buyOf(tab).click()))
    await Promise.all(tabs.map((tab) => yours(tab).waitFor()))
    expect([new Set(sent).size, await paid()]).toEqual([2, before + 100_000n])
    const texts = await Promise.all(tabs.map((tab) => tab.locator('[data-bought] code').first().textContent()))
    expect(texts[0]).toContain('name: mcp-server-craft')
    expect(texts[1]).toBe(texts[0])
    const sentences = await Promise.all(tabs.map((tab) => said(tab).textContent()))
    expect(sentences.toSorted()).toEqual([
      'Paid, and here it is.',
      'You own this already. Nothing was charged, and here it is.',
    ])
    for (const tab of tabs) expect(await kept(tab)).toBeNull()
    await context.close()
  })

  it('tells an owner of an earlier version so, and buys the new one at the next press, even after the page was closed', async () => {
    const signed: Readonly<Record<string, string>>[] = []
    const wallet: Answers = (call) => {
      if (call.method === 'eth_signTypedData_v4') signed.push(readTypedData(call).message)
      return toWallet(buyer)(call)
    }
    const context = await visitor({ Lantern: wallet })
    const path = '/skills/x402-buyer'
    const before = await paid()
    const first = await open(context, path)
    await ownOf(first).click()
    await yours(first).waitFor()
    ageSkill(path)
    // A quick buyer presses twice within one second.
    await context.clock.setFixedTime(new Date())

    const second = await open(context, path)
    await ownOf(second).click()
    await said(second).getByText('You own version 0.0.1').waitFor()
    await said(second).getByText('Nothing was charged. To buy the new version, ').waitFor()
    await said(second).getByText('the button does both now').waitFor()
    expect([await paid(), await yours(second).count()]).toEqual([before + 100_000n, 0])
    await second.close()

    const third = await open(context, path)
    await ownOf(third).click()
    await yours(third).waitFor()
    await said(third).getByText('Paid, and here it is.').waitFor()
    expect([await paid(), await kept(third)]).toEqual([before + 200_000n, null])
    // The second purchase reuses the nonce that proved the wallet, so that only one of the two can be charged.
    expect(signed.map(({ nonce }) => nonce === signed[1]?.['nonce'])).toEqual([false, true, true])
    expect(signed[2]).not.toEqual(signed[1])
    await context.close()
  })

  it('builds a form for the input of an image, shows errors beside their fields, and shows the image', async () => {
    const context = await visitor()
    const page = await open(context, '/apis/image-generate')
    const before = await paid()
    await page.getByLabel('Title').fill('  ')
    await buyOf(page).click()
    await said(page).getByText('Mend what is marked').waitFor()
    const title = page.getByLabel('Title')
    expect(await title.evaluate((field) => [field.ariaInvalid, field === document.activeElement])).toEqual([
      'true',
      true,
    ])
    expect(await paid()).toBe(before)
    await title.fill('A lamp in a window')
    await page.getByLabel('Style').selectOption('illustration')
    await page.getByLabel('Aspect ratio').selectOption('1:1')
    await buyOf(page).click()
    await yours(page).waitFor()
    const picture = page.locator('[data-bought] img')
    await expect
      .poll(() => picture.evaluate((image) => image instanceof HTMLImageElement && image.naturalWidth))
      .toBeGreaterThan(500)
    expect(await picture.getAttribute('alt')).toMatch(/\w+ \w+/)
    const { name, bytes } = await save(page)
    expect([name, bytes.subarray(0, 3).toString('hex')]).toEqual(['image.jpg', 'ffd8ff'])
    expect(await paid()).toBe(before + 50_000n)
    await context.close()
  })

  it('sells a narration that plays on the page, and a document as readable JSON', async () => {
    const context = await visitor()
    const page = await open(context, '/apis/narrate')
    const before = await paid()
    await page.getByLabel('Text', { exact: true }).fill('Paid in full.')
    await page.getByLabel('Speed').fill('1.5')
    await buyOf(page).click()
    await yours(page).waitFor()
    expect(await page.locator('[data-bought] audio').getAttribute('src')).toMatch(/^blob:/)
    const sound = await save(page)
    expect([sound.name, sound.bytes.length > 5000]).toEqual(['narration.mp3', true])

    await page.goto(`${testBaseUrl}/apis/bot-catalog`)
    await buyOf(page).click()
    await yours(page).waitFor()
    expect(await page.locator('[data-bought] pre').textContent()).toContain('"userAgent": "GPTBot"')
    expect(await paid()).toBe(before + 100_000n)

    // A later purchase does not remove an earlier one that may not be saved yet.
    const firstLink = await page.getByRole('link', { name: /^Save / }).getAttribute('href')
    await buyOf(page).click()
    await expect.poll(() => yours(page).count()).toBe(2)
    const links = page.getByRole('link', { name: /^Save / })
    expect(await links.last().getAttribute('href')).toBe(firstLink)
    expect(
      await yours(page)
        .first()
        .evaluate((heading) => heading === document.activeElement),
    ).toBe(true)
    expect(await paid()).toBe(before + 150_000n)
    await context.close()
  })

  it('shows all errors of a field, and no outdated ones after the next press', async () => {
    const context = await visitor()
    const page = await open(context, '/apis/llms-pack')
    const fault = page.locator('#buy-urls-fault')
    await page.getByLabel('URLs').fill('nowhere\nhttps://example.com/\nftp://example.org/')
    const both = /^Line 1 [^.]+\. Line 3 .+\.\s*$/
    for (let times = 0; times < 2; times++) {
      await buyOf(page).click()
      await said(page).getByText('Mend what is marked').waitFor()
      await expect.poll(() => fault.textContent()).toMatch(both)
    }
    expect((await fault.textContent())?.match(/Line/g)?.length).toBe(2)
    await page.getByLabel('URLs').fill('https://example.com/\nnowhere')
    expect(await fault.textContent()).toBe('')
    await buyOf(page).click()
    await expect.poll(() => fault.textContent()).toMatch(/^Line 2 [^.]+\.\s*$/)
    await context.close()
  })

  it('shows the price of the input, and asks again when the price differs from the one shown', async () => {
    const context = await visitor()
    const page = await open(context, '/apis/llms-pack')
    const urls = page.getByLabel('URLs')
    await urls.fill('https://example.com/\nhttps://example.org/\n\nhttps://example.net/')
    await expect.poll(() => buyOf(page).textContent()).toBe('Buy for $0.08')
    await urls.fill('')
    await buyOf(page).click()
    expect(await urls.evaluate((field: HTMLTextAreaElement) => field.validity.valueMissing)).toBe(true)
    await urls.fill('https://example.com/')
    await buyOf(page).click()
    await said(page)
      .getByText(/The price is another one now|Nothing was charged/)
      .waitFor()
    await expect.poll(() => buyOf(page).textContent()).toBe('Buy for $0.06')
    await context.close()
  })

  it('lets the buyer choose between several wallets by name, with icons from data URLs', async () => {
    const context = await visitor({
      Lantern: toWallet(buyer),
      Purse: toWallet(pauper, { eth_requestAccounts: { code: 4001 } }),
    })
    const page = await open(context, '/skills/feed-doctor')
    await ownOf(page).press('Enter')
    const choice = page.getByRole('button', { name: 'Lantern' })
    await choice.waitFor()
    expect(await choice.evaluate((button) => button === document.activeElement)).toBe(true)
    expect(await choice.locator('img').getAttribute('src')).toMatch(/^data:image\//)
    await page.keyboard.press('Escape')
    await said(page).getByText('Nothing was charged.').waitFor()
    expect(await ownOf(page).evaluate((button) => button === document.activeElement)).toBe(true)
    const before = await paid()
    await ownOf(page).press('Enter')
    await choice.press('Enter')
    await yours(page).waitFor()
    expect(await paid()).toBe(before + 100_000n)
    await context.close()
  })

  it('loads no wallet icon from a remote address', async () => {
    const context = await browser.newContext()
    await giveWallets(context, { One: toWallet(buyer), Two: toWallet(buyer) }, 'https://icons.test/wallet.png')
    const page = await open(context, skill)
    await ownOf(page).click()
    await page.getByRole('button', { name: 'One', exact: true }).waitFor()
    expect(await page.locator('[data-wallets] img').count()).toBe(0)
    await context.close()
  })

  it('adds the chain to a wallet that lacks it, where money is real', async () => {
    const asked: string[] = []
    let chain = '0x1'
    const signs = toWallet(buyer)
    const wallet: Answers = async (call) => {
      asked.push(call.method)
      if (call.method === 'eth_chainId') return { result: chain }
      if (call.method === 'wallet_switchEthereumChain') return chain === '0x1' ? { code: 4902 } : { result: null }
      if (call.method !== 'wallet_addEthereumChain') return signs(call)
      chain = '0x2105'
      return { result: null }
    }
    const context = await visitor({ Lantern: wallet }, { isLive: true })
    const page = await open(context, skill)
    await buyOf(page).click()
    await yours(page).waitFor()
    expect(asked.filter((method) => method.startsWith('wallet_'))).toEqual([
      'wallet_switchEthereumChain',
      'wallet_addEthereumChain',
    ])
    await context.close()
  })
})

describe('when something goes wrong', () => {
  it('says what to do, and that nothing was charged', async () => {
    let manners: Readonly<Record<string, Reply>> = {}
    const context = await visitor({ Lantern: (call) => toWallet(buyer, manners)(call) })
    const page = await open(context, skill)
    const before = await paid()
    const expected: [Readonly<Record<string, Reply>>, string][] = [
      [{ eth_requestAccounts: { code: 4001 } }, 'You said no in the wallet. Nothing was charged.'],
      [{ eth_signTypedData_v4: { code: 4001 } }, 'You said no in the wallet. Nothing was charged.'],
      [{ eth_chainId: { result: '0x1' } }, 'Your wallet is on another chain. Switch it to Base (8453)'],
      [{ eth_chainId: { result: '0x1' }, wallet_switchEthereumChain: { code: 4001 } }, 'on another chain'],
      [{ eth_blockNumber: { result: '0x2625a00' } }, 'your wallet holds real money'],
      [{ eth_signTypedData_v4: { code: -32000 } }, 'The wallet did not sign: the wallet said no. Nothing was charged.'],
    ]
    for (const [next, sentence] of expected) {
      manners = next
      await ownOf(page).click()
      await said(page).getByText(sentence).waitFor()
    }
    await context.setOffline(true)
    await buyOf(page).click()
    await said(page).getByText('You are offline. Try again when online. Nothing was charged.').waitFor()
    expect(await kept(page)).toBeNull()
    expect(await paid()).toBe(before)
    await context.close()
  })

  it('says that a wallet has too little money, and sends the same signature again when it has more', async () => {
    let signatures = 0
    const context = await visitor({
      Purse: (call) => {
        if (call.method === 'eth_signTypedData_v4') signatures += 1
        return toWallet(pauper)(call)
      },
    })
    const page = await open(context, skill)
    const before = await paid()
    await ownOf(page).click()
    await said(page).getByText('too little USDC on Base for it, and nothing was charged').waitFor()
    await page.reload()
    await ownOf(page).click()
    await said(page).getByText('stays good until').waitFor()
    expect([signatures, await paid()]).toEqual([1, before])
    await context.close()
  })

  it('offers a telephone without a wallet the browsers of wallet apps, and other devices the other ways to buy', async () => {
    const phone = await visitor(
      {},
      { isLive: true, hasTouch: true, isMobile: true, viewport: { width: 390, height: 800 } },
    )
    const page = await open(phone, skill)
    await buyOf(page).tap()
    const link = (name: string) => page.getByRole('link', { name }).getAttribute('href')
    expect(await link('Open in MetaMask')).toBe(`https://metamask.app.link/dapp/farthing.test${skill}`)
    expect(await link('Open in Coinbase Wallet')).toBe(
      `https://go.cb-w.com/dapp?cb_url=${encodeURIComponent(testBaseUrl + skill)}`,
    )
    await phone.close()
    const desk = await visitor({}, { isLive: true })
    const other = await open(desk, skill)
    await buyOf(other).click()
    await said(other).getByText('No wallet of this browser can be asked, and nothing was charged').waitFor()
    expect(await other.getByRole('link', { name: /^Open in/ }).count()).toBe(0)
    await desk.close()
  })

  it('delivers on return what was paid for when the tab was closed before the response', async () => {
    const context = await visitor()
    const sent: string[] = []
    const lost = Promise.withResolvers<void>()
    await context.route('**/raw', async (route) => {
      const header = route.request().headers()['payment-signature']
      if (header === undefined) return route.continue()
      sent.push(header)
      if (sent.length > 1) return route.continue()
      await site.fetch(route.request().url(), { headers: await route.request().allHeaders() })
      lost.resolve()
    })
    const before = await paid()
    const page = await open(context, '/skills/ssrf-safe-fetch')
    await buyOf(page).click()
    await lost.promise
    await page.close()
    expect(await paid()).toBe(before + 100_000n)

    const later = await open(context, '/skills/ssrf-safe-fetch')
    await yours(later).waitFor()
    expect([sent.length, new Set(sent).size]).toEqual([2, 1])
    const { extensions } = JSON.parse(atob(sent[0] ?? ''))
    expect(extensions['payment-identifier'].info.id).toMatch(/^pay_[0-9a-f]{32}$/)
    expect([await paid(), await kept(later)]).toEqual([before + 100_000n, null])
    await context.close()
  })

  it('waits for a shop that restarts in the middle of a purchase, and pays it once', async () => {
    const { port, dataDir } = site
    let nonce = ''
    const context = await visitor({
      Lantern: async (call) => {
        if (call.method === 'eth_signTypedData_v4') {
          nonce ||= readTypedData(call).message['nonce'] ?? ''
          await site.kill()
        }
        return toWallet(buyer)(call)
      },
    })
    const page = await open(context, '/skills/sqlite-in-production')
    const before = await paid()
    await ownOf(page).click()
    await said(page).getByText('The shop cannot be reached. What you signed is kept in this browser').waitFor()
    expect(await kept(page)).toContain('sqlite-in-production')
    const { facilitatorUrl, rpcUrl } = money
    site = await startSite({ facilitatorUrl, rpcUrl, dataDir, env: { PORT: String(port) } })
    await yours(page).waitFor()
    expect(nonce).toMatch(/^0x[0-9a-f]{64}$/)
    expect([await paid(), await kept(page)]).toEqual([before + 100_000n, null])
    await context.close()
  })
})

describe('a paid address', () => {
  it('is a page of the site for a browser, with the payment terms in its header, and sells there', async () => {
    const context = await visitor()
    const page = await context.newPage()
    const before = await paid()
    const answer = await page.goto(`${testBaseUrl}/skills/podcast-from-posts/raw`)
    expect([answer?.status(), typeof answer?.headers()['payment-required']]).toEqual([402, 'string'])
    await page.getByRole('navigation', { name: 'Main' }).waitFor()
    await buyOf(page).click()
    await yours(page).waitFor()
    expect(await paid()).toBe(before + 100_000n)
    // The page of a price is served at the paid address alone.
    expect((await site.fetch('/prices/x402-seller')).status).toBe(404)
    await context.close()
  })

  it('answers every other client with JSON', async () => {
    for (const accept of ['*/*', 'application/json', 'text/plain']) {
      const answer = await site.fetch(`${skill}/raw`, { headers: { accept } })
      expect([answer.status, answer.headers.get('content-type')]).toEqual([402, 'application/json'])
      const required = JSON.parse(atob(answer.headers.get('payment-required') ?? ''))
      expect(await answer.json()).toMatchObject(required)
    }
  })
})

describe('the page of a product', () => {
  it('says without JavaScript how else to buy, and shows no button that would do nothing', async () => {
    const context = await browser.newContext({ javaScriptEnabled: false })
    const page = await open(context, skill)
    await page.getByText('Buying on this page needs JavaScript').waitFor()
    expect(await buyOf(page).count()).toBe(0)
    await context.close()
  })
})
