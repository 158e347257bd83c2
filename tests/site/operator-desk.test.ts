import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import axe from 'axe-core'
import type { Browser, BrowserContext, Page } from 'playwright'
import { createWalletClient, http, parseAbi } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sandboxAccounts } from '../../src/config/sandbox-accounts.ts'
import { usdcAddress } from '../../src/core/chain-constants.ts'
import { makeOauthRecords } from '../../src/oauth/oauth-records.ts'
import { openOauthDatabase } from '../../src/oauth/open-oauth-database.ts'
import { routes } from '../../src/routes/routes.ts'
import { findFreePort } from '../../src/sandbox/port.ts'
import { announceBuild } from '../../src/storage/announced-build.ts'
import { type RunningMoney, startMoney } from '../support/money.ts'
import { openPretendWeb, type PretendWeb } from '../support/pretend-web.ts'
import { readCsv } from '../support/read-csv.ts'
import { type RunningSite, startSite, testBaseUrl } from '../support/running-site.ts'
import { launchFor, openPage } from '../support/site-browser.ts'
import { payingFetch } from '../support/stock-client.ts'

const operator = fileURLToPath(new URL('../../src/commands/operator.ts', import.meta.url))
const skill = '/skills/x402-seller/raw'
const token = parseAbi(['function transfer(address to, uint256 value) returns (bool)'])
const cookieName = 'farthing_operator'

let money: RunningMoney
let web: PretendWeb
let site: RunningSite
let browser: Browser
let gamePort: number
let desk: BrowserContext
let page: Page
const complaints: string[] = []

const order = async (...words: string[]): Promise<string> => {
  const env = { ...process.env, DATA_DIR: site.dataDir, BASE_URL: testBaseUrl, RPC_URL: money.rpcUrl }
  return (await promisify(execFile)(process.execPath, [operator, ...words], { env })).stdout
}
const buyWith = (privateKey: `0x${string}`, path = skill) => payingFetch(privateKey, site.fetch)(testBaseUrl + path)
/** Buys a skill with a new wallet, because a wallet buys a skill only once. */
async function buy(slug = 'x402-seller'): Promise<string> {
  const answer = await buyWith(sandboxAccounts.buyer.privateKey, `/skills/${slug}/raw`)
  expect(answer.status).toBe(200)
  return answer.headers.get('x-receipt-id') ?? ''
}

beforeAll(async () => {
  money = await startMoney()
  gamePort = await findFreePort()
  web = await openPretendWeb()
  const egress = { EGRESS_TEST_HOSTS: web.egress('friend.test'), EGRESS_TEST_CA: web.caFile }
  site = await startSite({ ...money, env: { GAME_PORT: String(gamePort), ...egress } })
  // An announced build that does not exist is refused; the page reports it after several attempts.
  await announceBuild(site.dataDir, 'nowhere')
  browser = await launchFor(site)
  desk = await browser.newContext({ viewport: { width: 1280, height: 900 } })
  page = await desk.newPage()
  page.on(
    'console',
    (message) => message.type() === 'error' && !/status of 422/.test(message.text()) && complaints.push(message.text()),
  )
  page.on('pageerror', (error) => complaints.push(error.message))
})
afterAll(async () => {
  await browser?.close()
  await site?.kill('SIGTERM')
  await web?.close()
  await money?.stop()
})

/** The browser's cookie for this site. */
const cookieOf = async (): Promise<string> => {
  const cookie = (await desk.cookies()).find(({ name }) => name === cookieName)
  return `${cookieName}=${cookie?.value}`
}
const own = { origin: testBaseUrl, 'content-type': 'application/x-www-form-urlencoded' }
const ask = (path: string, init: RequestInit = {}) => site.fetch(path, { redirect: 'manual', ...init })
const post = (path: string, fields: Record<string, string>, headers: Record<string, string>) =>
  ask(path, { method: 'POST', body: new URLSearchParams(fields), headers: { ...own, ...headers } })

describe('the operator’s page', () => {
  it('signs a browser in with a printed link, once', async () => {
    await page.goto(`${testBaseUrl}/operator`)
    expect(page.url()).toBe(`${testBaseUrl}/operator/sign-in`)
    const [link = ''] = (await order('sign-in')).split('\n')
    await page.goto(link)
    await page.getByRole('button', { name: 'Sign in' }).click()
    expect(page.url()).toBe(`${testBaseUrl}/operator`)
    expect((await desk.cookies()).find(({ name }) => name === cookieName)).toMatchObject({
      httpOnly: true,
      sameSite: 'Strict',
      path: '/',
    })
    const again = await post('/operator/sign-in', { answer: 'link', link }, {})
    expect([again.status, again.headers.get('set-cookie')]).toEqual([403, null])
  })

  it('signs in a browser that submits the form twice, and nobody else with the same link', async () => {
    const [link = ''] = (await order('sign-in')).split('\n')
    const readTicket = async () =>
      /name="ticket" value="([^"]+)"/.exec(await (await ask(new URL(link).pathname)).text())?.[1] ?? ''
    const form = { answer: 'link', link, ticket: await readTicket() }
    const pressed = await Promise.all([post('/operator/sign-in', form, {}), post('/operator/sign-in', form, {})])
    const cookies = pressed.map(({ headers }) => headers.get('set-cookie') ?? '')
    expect(pressed.map(({ status, headers }) => [status, headers.get('location')])).toEqual([
      [303, '/operator'],
      [303, '/operator'],
    ])
    const [cookie = ''] = cookies[0]?.split(';') ?? []
    expect([cookie.length > 40, new Set(cookies).size]).toEqual([true, 1])
    // A form from another page load, or with a forged ticket, is told that the link was used.
    for (const ticket of [await readTicket(), 'x', '']) {
      const other = await post('/operator/sign-in', { ...form, ticket }, {})
      expect([other.status, other.headers.get('set-cookie')]).toEqual([403, null])
    }
    // A browser that already has the session cookie is signed in, whatever the form contains.
    const known = await post('/operator/sign-in', { answer: 'link', link }, { cookie })
    expect([known.status, known.headers.get('location')]).toEqual([303, '/operator'])

    const desk = await (await ask('/operator', { headers: { cookie } })).text()
    const token = /name="token" value="([^"]+)"/.exec(desk)?.[1] ?? ''
    expect((await post('/operator/sign-out', { token }, { cookie })).status).toBe(303)
    const late = await post('/operator/sign-in', form, {})
    expect([late.status, late.headers.get('set-cookie')]).toEqual([403, null])
  })

  it('shows a new sale without a reload', async () => {
    await page.goto(`${testBaseUrl}/operator`)
    await page.getByText('Live.', { exact: true }).waitFor()
    expect(await page.getByText('There is none yet.').isVisible()).toBe(true)
    const receipt = await buy()
    await page.getByRole('link', { name: `Refund ${receipt}` }).waitFor()
    expect(await page.locator('.facts').textContent()).toMatch(/Revenue\$0\.10Sales1Quotes/)
    const products = page.getByRole('table', { name: 'Sales by product' })
    expect(await products.getByRole('row', { name: /skill\/x402-seller/ }).textContent()).toMatch(/\$0\.10100000/)
  })

  it('shows how many quoted prices led to a sale', async () => {
    const row = page.getByRole('row', { name: /x402-seller/ }).first()
    expect(await row.textContent()).toMatch(/x402-seller11100\.0 %/)
  })

  it('shows first what needs attention', async () => {
    const section = page.getByRole('region', { name: 'Needs attention' })
    await expect
      .poll(async () => (await page.reload()) && (await section.count()) && section.textContent())
      .toContain('The newest build was refused')
    expect(complaints).toEqual([])
  })

  it('runs a job and shows how it went', async () => {
    await page.goto(`${testBaseUrl}/operator/jobs`)
    await page.getByRole('button', { name: 'Run now Payments' }).click()
    const row = page.getByRole('row', { name: /Payments/ }).first()
    await row.getByText('done', { exact: true }).waitFor()
    expect(await page.getByRole('row', { name: /ledger\.db/ }).textContent()).toMatch(/\d+\.\d kB/)
  })

  it('approves a webmention, which is shown below the post only while it is approved', async () => {
    const path = '/posts/fair-play'
    const target = testBaseUrl + path
    const textOf = async () => (await ask(path)).text()
    web.serve('friend.test', { '/reply': `<meta name="author" content="Ada &lt;b&gt;"><a href="${target}">x</a>` })
    const { headers } = await ask(path)
    expect(headers.get('link')).toBe(
      `<${path}.md>; rel="alternate"; type="text/markdown", </api/webmention>; rel="webmention"`,
    )
    expect(await textOf()).toContain('<link rel="webmention" href="/api/webmention">')
    const body = new URLSearchParams({ source: 'https://friend.test/reply', target })
    expect((await ask('/api/webmention', { method: 'POST', body })).status).toBe(202)
    expect((await ask('/api/webmention', { method: 'POST', body: '{}' })).status).toBe(400)
    await page.goto(`${testBaseUrl}/operator/jobs`)
    await page.getByRole('button', { name: 'Run now Mentions' }).click()
    await page.getByText('Of 1 page, 1 mention a post.').waitFor()
    await page.goto(`${testBaseUrl}/operator/mentions`)
    expect(await textOf()).not.toContain('friend.test')
    await page.getByRole('button', { name: 'Approve the mention of friend.test' }).click()
    await page.getByRole('table', { name: 'Shown' }).getByText('Ada <b>').waitFor()
    const shown = await ask(path)
    expect(await shown.text()).toContain(
      '<a href="https://friend.test/reply" rel="nofollow ugc">Ada &lt;b&gt;</a> <span class="fine">friend.test</span>',
    )
    expect([shown.headers.get('link'), shown.headers.get('etag') === headers.get('etag')]).toEqual([
      headers.get('link'),
      false,
    ])
    await page.getByRole('button', { name: 'Refuse the mention of friend.test' }).click()
    await page.getByText('None.').first().waitFor()
    expect(await textOf()).not.toContain('friend.test')
    expect(await order('mentions')).toBe('no other site mentions a post\n')
  })

  it('records only a refund that is on the chain, and the receipt says so', async () => {
    const [receipt, other] = [await buy('feed-doctor'), await buy('ssrf-safe-fetch')]
    await page.goto(`${testBaseUrl}/operator/payments`)
    await page.getByRole('link', { name: `Refund ${receipt}` }).click()
    const payer = sandboxAccounts.buyer.address.toLowerCase()
    const main = await page.locator('main').textContent()
    expect(main?.toLowerCase()).toContain(payer)
    // A refund sent on another network would be lost.
    expect(main).toContain('On Base (eip155:8453), the token')
    const record = async (transaction: string) => {
      await page.getByLabel('Transaction, which').fill(transaction)
      await page.getByRole('button', { name: 'Record the refund' }).click()
    }
    await record(`0x${'12'.repeat(32)}`)
    await page.getByText('Not recorded: the chain does not know this transaction yet.').waitFor()
    const walletOf = (privateKey: `0x${string}`) =>
      createWalletClient({ account: privateKeyToAccount(privateKey), transport: http(money.rpcUrl) })
    const transfer = (from: `0x${string}`, to: `0x${string}`, value: bigint) =>
      walletOf(from).writeContract({
        chain: null,
        address: usdcAddress,
        abi: token,
        functionName: 'transfer',
        args: [to, value],
      })
    const { buyer, pauper: till } = sandboxAccounts
    await transfer(buyer.privateKey, till.address, 1_000_000n)
    const send = (value: bigint) => transfer(till.privateKey, buyer.address, value)
    await record(await send(99_999n))
    await page.getByText('Not recorded: this transaction does not send the payer what was paid').waitFor()
    const sent = await send(100_000n)
    await record(sent)
    await page.getByText('The chain shows the transfer.').waitFor()
    const shown = await (await ask(`/api/receipts/${receipt}.json`)).json()
    expect(shown.refund).toMatchObject({ amountMicroUsd: '100000', transaction: sent })
    await page.goto(`${testBaseUrl}/receipts/${receipt}`)
    expect(await page.getByText(sent).isVisible()).toBe(true)
    // One transfer refunds one sale only.
    await expect(order('refund', other, sent)).rejects.toThrow(/refunds another sale already/)
    expect(await order('refund', other)).toContain(
      'Send 0.10 USDC (100000 atomic units, or more) on Base (eip155:8453) to',
    )
    // Another process on the same data folder records the refund, and the page shows it without a reload.
    await page.goto(`${testBaseUrl}/operator/payments`)
    await page.getByRole('link', { name: `Refund ${other}` }).waitFor()
    expect(await order('refund', other, '--note', 'by bank transfer')).toContain('by hand: by bank transfer')
    await page.getByRole('link', { name: `Refunded ${other}` }).waitFor()
  })

  it('exports the ledger as CSV, in browsers and in the terminal', async () => {
    await page.goto(`${testBaseUrl}/operator`)
    const today = new Date().toISOString().slice(0, 10)
    await page.getByLabel('From').fill(today)
    await page.getByLabel('To, that').fill(today)
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download as CSV' }).click(),
    ])
    const text = await readFile(await download.path(), 'utf8')
    const rows = readCsv(text)
    expect(rows[0]?.slice(0, 5)).toEqual(['time_utc', 'kind', 'product', 'path', 'amount_atomic'])
    const kinds = rows.slice(1).map((cells) => `${cells[1]} ${cells[4]}`)
    expect(kinds.toSorted()).toEqual(['refund -100000', 'refund -100000', 'sale 100000', 'sale 100000', 'sale 100000'])
    expect(await order('csv', '--from', today)).toBe(text)
    expect(await order('sales', '--days', '1')).toContain('3 sales, $0.30 (300000 atomic units)')
  })

  it('blocks a wallet and a network address, charges them nothing, and still delivers what was paid for', async () => {
    const second = sandboxAccounts.pauper
    await page.goto(`${testBaseUrl}/operator/blocks`)
    const block = async (who: string) => {
      await page.getByLabel('Wallet, or IP').fill(who)
      await page.getByRole('button', { name: 'Block', exact: true }).click()
      await page
        .getByRole('table', { name: 'Blocked now' })
        .getByRole('button', { name: `Unblock ${who.toLowerCase()}` })
        .waitFor()
    }
    await block(second.address)
    const before = (await money.transfersTo()).length
    const refused = await buyWith(second.privateKey)
    expect([refused.status, await refused.json()]).toMatchObject([
      403,
      { charged: false, type: expect.stringContaining('/problems/blocked') },
    ])
    await block('127.0.0.1')
    for (const path of [skill, '/llms-full.txt'])
      for (const method of ['GET', 'HEAD']) {
        const { status, headers } = await ask(path, { method })
        expect([status, headers.get('payment-required')]).toEqual([403, null])
      }
    expect((await money.transfersTo()).length).toBe(before)
    expect(await order('block')).toContain('address\t127.0.0.1')
    await order('unblock', '127.0.0.1')
    await expect.poll(async () => (await ask(skill)).status).toBe(402)
    await page.reload()
    await page.getByRole('button', { name: `Unblock ${second.address.toLowerCase()}` }).click()
    await page.getByText('Nobody.').waitFor()
    expect((await buyWith(second.privateKey)).status).toBe(200)
  })

  it('shows who plays and sends orders to the game, and says so when the game cannot be reached', async () => {
    await page.goto(`${testBaseUrl}/operator/players`)
    expect(await page.getByText('The game cannot be reached').isVisible()).toBe(true)
    const { dataDir } = site
    const env = { GAME_PORT: String(gamePort) }
    const game = await startSite({ ...money, dataDir, env, program: 'game-server/host/main.ts' })
    await page.reload()
    await page.getByText('0 play now.').waitFor()
    await page.getByLabel('Announcement').fill('The shop closes at noon.')
    await page.getByRole('button', { name: 'Announce' }).click()
    await page.waitForLoadState()
    expect(await page.getByText('Nothing was done').count()).toBe(0)
    await game.kill('SIGTERM')
  })

  it.each([
    [390, 'light'],
    [1280, 'dark'],
  ] as const)('is accessible and fits at %i pixels, %s', async (width, colorScheme) => {
    const look = await desk.newPage()
    await look.setViewportSize({ width, height: 900 })
    await look.emulateMedia({ colorScheme })
    await look.goto(`${testBaseUrl}/operator`)
    const refund = await look
      .getByRole('link', { name: /^Refund/ })
      .first()
      .getAttribute('href')
    const refundPath = refund?.replace('/operator', '') ?? 'no sale'
    for (const path of ['', '/payments', '/jobs', '/mentions', '/blocks', '/players', refundPath]) {
      await look.goto(`${testBaseUrl}/operator${path}`)
      expect([path, await look.evaluate('document.documentElement.scrollWidth')]).toEqual([path, width])
      await look.evaluate(axe.source)
      const found = await look.evaluate('axe.run().then(({ violations }) => violations.map(({ id }) => id))')
      expect([path, found]).toEqual([path, []])
      const folder = process.env['LOOK_AT']
      if (folder !== undefined)
        await look.screenshot({ path: `${folder}/${width}${colorScheme}${path.slice(1)}.png`, fullPage: true })
    }
    await look.close()
  })

  it('keeps focus on the same sale when another one arrives', async () => {
    await page.goto(`${testBaseUrl}/operator`)
    await page.getByText('Live.', { exact: true }).waitFor()
    const refund = page.getByRole('link', { name: /^Refund/ }).first()
    await refund.focus()
    const sale = await refund.getAttribute('href')
    const receipt = await buy('sqlite-in-production')
    await page.getByRole('link', { name: `Refund ${receipt}` }).waitFor()
    expect(await page.locator(':focus').getAttribute('href')).toBe(sale)
  })

  it('survives error pages of a proxy while the site restarts, and updates again afterwards', async () => {
    const other = await desk.newPage()
    const away = { status: 502, contentType: 'text/html', body: '<h1>Bad Gateway</h1>' }
    let isAway = true
    let asked = 0
    await other.route(`${testBaseUrl}/operator/events*`, (route) => (isAway ? route.fulfill(away) : route.continue()))
    await other.route(`${testBaseUrl}/operator`, (route) => {
      asked += 1
      return isAway && asked > 1 ? route.fulfill(away) : route.continue()
    })
    await other.goto(`${testBaseUrl}/operator`)
    await expect.poll(() => asked).toBeGreaterThan(2)
    expect(await other.getByRole('heading', { level: 1 }).textContent()).toBe('Sales')
    expect(await other.getByText('trying again').isVisible()).toBe(true)
    isAway = false
    await other.getByText('Live.', { exact: true }).waitFor()
    await other.close()
  })

  it('shows nothing without a cookie, with a wrong one, or with one of an expired session', async () => {
    const db = await openOauthDatabase(`${site.dataDir}/oauth.db`)
    const expired = 'e'.repeat(43)
    await makeOauthRecords({ db, now: Date.now }).keep('OperatorSession', expired, {
      payload: '{}',
      expiresAt: Date.now() + 1,
    })
    await db.destroy()
    const alone = routes.filter(({ by, path }) => by === 'operator' && path !== '/operator/sign-in')
    expect(alone.length).toBeGreaterThan(12)
    for (const cookie of ['', `${cookieName}=${'w'.repeat(43)}`, `${cookieName}=${expired}`])
      for (const { path, operations } of alone) {
        const address = path.replace(/\{\w+\}/, 'reconcile')
        for (const method of Object.keys(operations)) {
          const answer =
            method === 'POST' ? await post(address, {}, { cookie }) : await ask(address, { headers: { cookie } })
          const isLed = answer.status === 303 && answer.headers.get('location') === '/operator/sign-in'
          expect([method, path, isLed || answer.status === 401]).toEqual([method, path, true])
          expect(await answer.text()).not.toContain('x402-seller')
        }
      }
  })

  it('refuses requests from other sites, and requests without its form token', async () => {
    const cookie = await cookieOf()
    const word =
      (await (await ask('/operator/blocks', { headers: { cookie } })).text()).match(
        /name="token" value="([\w-]+)"/,
      )?.[1] ?? ''
    const fields = { who: '203.0.113.9', token: word }
    for (const headers of [
      { origin: 'https://elsewhere.example' },
      { origin: 'null' },
      { 'sec-fetch-site': 'cross-site' },
    ]) {
      const { status } = await post('/operator/blocks', fields, { cookie, ...headers })
      expect(status).toBe(403)
    }
    expect((await post('/operator/blocks', { ...fields, token: '' }, { cookie })).status).toBe(403)
    expect(await order('block')).toBe('nobody is blocked\n')
    expect((await post('/operator/blocks', fields, { cookie })).status).toBe(303)
    expect(await order('block')).toContain('203.0.113.9')
  })

  it('is not cached, framed, indexed or listed', async () => {
    const answer = await ask('/operator', { headers: { cookie: await cookieOf() } })
    expect(answer.status).toBe(200)
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'cache-control': 'no-store',
      'x-robots-tag': 'noindex',
      'x-frame-options': 'DENY',
      'content-security-policy': expect.stringContaining("default-src 'none'; script-src 'self'"),
    })
    for (const path of ['/sitemap.xml', '/openapi.json', '/llms.txt', '/.well-known/api-catalog'])
      expect(await (await ask(path)).text()).not.toMatch(/\/operator\b/)
  })

  it('is signed out in every browser when the operator says so', async () => {
    await page.goto(`${testBaseUrl}/operator`)
    expect(complaints).toEqual([])
    await order('sign-out')
    // The open page follows by itself: its stream of changes is refused from now on, which the console says, too.
    await page.waitForURL(`${testBaseUrl}/operator/sign-in`)
  })

  it('works without scripts', async () => {
    const { page: plain } = await openPage(browser, '/operator', { javaScriptEnabled: false })
    const [link = ''] = (await order('sign-in')).split('\n')
    await plain.goto(link)
    await plain.getByRole('button', { name: 'Sign in' }).click()
    expect(await plain.getByRole('table', { name: 'Sales by product' }).isVisible()).toBe(true)
    // An automatic reload would interrupt readers who type, or who have the page read aloud.
    expect(await plain.locator('meta[http-equiv=refresh]').count()).toBe(0)
    await plain.getByLabel('From').fill('2026-01-01')
    await plain.locator('noscript a').click()
    expect(await plain.getByRole('table', { name: 'Sales by product' }).isVisible()).toBe(true)
    await plain.getByRole('button', { name: 'Sign out' }).click()
    expect(plain.url()).toBe(`${testBaseUrl}/operator/sign-in`)
    await plain.close()
  })
})
