import axe from 'axe-core'
import type { Browser, Page } from 'playwright'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { sandboxAccounts } from '../../src/config/sandbox-accounts.ts'
import { connectBuyer, textOf } from '../support/mcp-buyer.ts'
import { type RunningMoney, startMoney } from '../support/money.ts'
import { type RunningSite, startSite, testBaseUrl } from '../support/running-site.ts'
import { launchFor } from '../support/site-browser.ts'
import { payingFetch } from '../support/stock-client.ts'

const account = privateKeyToAccount(sandboxAccounts.buyer.privateKey)
const skillPath = '/skills/feed-doctor/raw'
const found = z.array(z.object({ id: z.string(), nodes: z.array(z.object({ html: z.string() })) }))

let money: RunningMoney
let site: RunningSite
let browser: Browser
let text: string
beforeAll(async () => {
  money = await startMoney()
  site = await startSite(money)
  browser = await launchFor(site)
  text = await (await payingFetch(sandboxAccounts.buyer.privateKey, site.fetch)(testBaseUrl + skillPath)).text()
})
afterAll(async () => {
  await browser?.close()
  await site?.kill('SIGTERM')
  await money?.stop()
})

/** Opens the library with a wallet that announces itself according to EIP-6963. */
async function visit({ signs = true } = {}): Promise<Page> {
  const page = await (await browser.newContext()).newPage()
  await page.exposeFunction('askWallet', async (method: string, params: readonly string[]) => {
    if (method === 'eth_requestAccounts') return { result: [account.address.toLowerCase()] }
    if (method !== 'personal_sign' || !signs) return { code: 4001 }
    return {
      result: await account.signMessage({ message: { raw: z.templateLiteral(['0x', z.string()]).parse(params[0]) } }),
    }
  })
  await page.addInitScript(`
    const provider = { request: async ({ method, params }) => {
      const reply = await window.askWallet(method, params ?? [])
      if ('code' in reply) throw Object.assign(new Error('no'), reply)
      return reply.result
    } }
    const tell = () => window.dispatchEvent(new CustomEvent('eip6963:announceProvider', {
      detail: { info: { uuid: 'a', name: 'Test Purse', icon: '', rdns: 'test.purse' }, provider } }))
    window.addEventListener('eip6963:requestProvider', tell)
  `)
  await page.goto(`${testBaseUrl}/library`)
  return page
}

async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axe.source)
  const all: string[] = []
  for (const width of [390, 1280])
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.setViewportSize({ width, height: 900 })
      await page.emulateMedia({ colorScheme })
      const seen: unknown = await page.evaluate('axe.run().then(({ violations }) => violations)')
      all.push(...found.parse(seen).map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`))
    }
  return all
}

describe('the library in a browser', () => {
  it('shows a wallet that signs what it bought, offers downloads, and forgets everything on sign-out', async () => {
    const page = await visit()
    expect(await violations(page)).toEqual([])
    await page.getByRole('button', { name: 'Sign in with Test Purse' }).click()
    await page.getByRole('heading', { name: 'Bought' }).waitFor()
    expect(await violations(page)).toEqual([])
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: /^Download/ }).click(),
    ])
    expect(download.suggestedFilename()).toBe('SKILL.md')
    const chunks: Buffer[] = []
    for await (const chunk of await download.createReadStream()) chunks.push(Buffer.from(chunk))
    expect(Buffer.concat(chunks).toString()).toBe(text)
    // The purchases before a given receipt have a page of their own, which links a CSV file of the same purchases.
    const receipt = await page.getByRole('link', { name: /^Receipt/ }).getAttribute('href')
    const before = `before=${receipt?.split('/').at(-1)}`
    await page.goto(`${testBaseUrl}/library?${before}`)
    expect(await violations(page)).toEqual([])
    expect(await page.getByText('For your accounts').textContent()).toContain('these 0 and no others')
    expect(await page.getByRole('link', { name: 'CSV' }).getAttribute('href')).toBe(`/api/library.csv?${before}`)
    await page.getByRole('link', { name: 'Back to the newest' }).click()
    await page.getByRole('link', { name: /^Download/ }).waitFor()
    expect(await page.getByRole('link', { name: 'CSV' }).getAttribute('href')).toBe('/api/library.csv')
    await page.getByRole('button', { name: 'Sign out everywhere' }).click()
    await page.getByRole('button', { name: 'Sign in with Test Purse' }).waitFor()
    await page.context().close()
    expect(await money.transfersTo()).toHaveLength(1)
  })

  it('says so when the wallet does not sign, and signs nobody in', async () => {
    const page = await visit({ signs: false })
    await page.getByRole('button', { name: 'Sign in with Test Purse' }).click()
    await page.getByText('You did not sign').waitFor()
    await page.context().close()
  })

  it('blames the shop, not the wallet, when the shop does not answer', async () => {
    const page = await visit()
    await page.route('**/api/library/sign-in', (route) => route.fulfill({ status: 502, body: 'Bad Gateway' }))
    await page.getByRole('button', { name: 'Sign in with Test Purse' }).click()
    await page.getByText('Nobody is signed in. The shop does not answer; try again.').waitFor()
    await page.context().close()
  })

  it('keeps a wallet button focused when another script asks wallets to announce themselves again', async () => {
    const page = await visit()
    const button = page.getByRole('button', { name: 'Sign in with Test Purse' })
    await button.focus()
    await page.evaluate(() => window.dispatchEvent(new Event('eip6963:requestProvider')))
    expect(await button.evaluate((element) => element === document.activeElement)).toBe(true)
    expect(await button.count()).toBe(1)
    await page.context().close()
  })

  it('is stored by no cache and indexed by no search engine', async () => {
    const answer = await site.fetch('/library')
    expect([answer.status, answer.headers.get('cache-control'), answer.headers.get('x-robots-tag')]).toEqual([
      200,
      'private, no-store',
      'noindex',
    ])
    const html = await answer.text()
    expect(html).toContain('<meta name="robots" content="noindex">')
    expect(html).not.toMatch(/<script(?![^>]*\bsrc=)[^>]*>[^<]/)
  })
})

it('is a tool for agents, which sign a message and are told what their wallet bought', async () => {
  const agent = await connectBuyer(site.fetch)
  const { message } = JSON.parse(textOf(await agent.call('library', { address: account.address })))
  const signature = await account.signMessage({ message })
  const args = { address: account.address, message, signature }
  expect(JSON.parse(textOf(await agent.call('library', args)))).toMatchObject({
    count: 1,
    purchases: [{ path: skillPath, version: expect.any(String) }],
  })
  expect(await agent.call('library', args)).toMatchObject({ isError: true })
  await agent.close()
})
