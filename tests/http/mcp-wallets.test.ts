import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sandboxAccounts } from '../../src/config/sandbox-accounts.ts'
import { fetchWallets } from '../support/fetched-wallets.ts'
import { figure } from '../support/figures.ts'
import { mcpWallets } from '../support/mcp-wallets.ts'
import { type RunningMoney, startMoney } from '../support/money.ts'
import { openPretendWeb, type PretendWeb } from '../support/pretend-web.ts'
import { type RunningSite, startSite, testBaseUrl } from '../support/running-site.ts'

let money: RunningMoney
let web: PretendWeb
let site: RunningSite
beforeAll(async () => {
  money = await startMoney()
  web = await openPretendWeb({ 'news.test': { '/tides': '<title>Tides</title><main><p>The sea rises.</p></main>' } })
  const env = { EGRESS_TEST_HOSTS: web.egress('news.test'), EGRESS_TEST_CA: web.caFile }
  site = await startSite({ ...money, env })
})
afterAll(async () => {
  await site?.kill('SIGTERM')
  await web?.close()
  await money?.stop()
})

/** What the buyer's wallet lost and the shop's got meanwhile. */
async function paidFor<T>(work: () => Promise<T>) {
  const before = (await money.transfersTo()).length
  const result = await work()
  const moved = (await money.transfersTo()).slice(before)
  expect(new Set(moved.map(({ from }) => from))).toEqual(new Set([sandboxAccounts.buyer.address]))
  return { result, paid: moved.map(({ value }) => value) }
}
async function connect() {
  const client = new Client({ name: 'a-wallet', version: '1.0.0' })
  await client.connect(new StreamableHTTPClientTransport(new URL('/api/mcp', testBaseUrl), { fetch: site.fetch }))
  return client
}

/** All of them pay with one wallet, which buys a skill once. */
const skills = ['x402-buyer', 'x402-seller', 'mcp-server-craft', 'ssrf-safe-fetch', 'sqlite-in-production']

describe.each(mcpWallets)('%s', (name, buy) => {
  it('buys a skill at its price, once', async () => {
    const client = await connect()
    const slug = skills[mcpWallets.findIndex(([other]) => other === name)] ?? ''
    const { result, paid } = await paidFor(() => buy(client, { name: 'buy_skill', arguments: { slug } }))
    expect([result.isError, result.content[0]?.text]).toEqual([false, expect.stringContaining(`name: ${slug}`)])
    expect(paid).toEqual([100_000n])
    await client.close()
  })

  it('buys what is priced by its input at the price of the input, once', async () => {
    const client = await connect()
    const pages = { urls: ['https://news.test/tides', 'https://news.test/tides?again'] }
    const { result, paid } = await paidFor(() => buy(client, { name: 'pack_web_pages', arguments: pages }))
    expect([result.isError, result.content[0]?.text]).toEqual([false, expect.stringContaining('The sea rises.')])
    expect(paid).toEqual([70_000n])
    await client.close()
  })
})

/** They are fetched from the npm registry, 190 MB of them. */
describe.runIf(figure(0, 1) === 1)('the program itself that is called', () => {
  it.each(['buyWithAgents', 'buyWithMcpc'] as const)(
    '%s buys a skill, and a product priced by its input',
    async (wallet) => {
      const buy = fetchWallets()[wallet]
      const url = `http://127.0.0.1:${site.port}/api/mcp`
      const slug = wallet === 'buyWithAgents' ? 'feed-doctor' : 'agent-ready-site'
      const skill = await paidFor(() => buy(url, 'buy_skill', { slug }))
      expect([skill.result.isError, skill.result.content[0]?.text]).toEqual([
        false,
        expect.stringContaining(`name: ${slug}`),
      ])
      const pages = { urls: ['https://news.test/tides', 'https://news.test/tides?once-more'] }
      const pack = await paidFor(() => buy(url, 'pack_web_pages', { ...pages, maxCharsPerPage: wallet.length * 1000 }))
      expect(pack.result.content[0]?.text).toContain('The sea rises.')
      expect([skill.paid, pack.paid]).toEqual([[100_000n], [70_000n]])
    },
    300_000,
  )
})
