import { randomBytes } from 'node:crypto'
import { keccak256 } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { resourceListSchema } from '../../src/offers/resource-list.ts'
import { buyingClients, type OpenClient, type Order } from '../support/buying-clients.ts'
import { fetchedClients } from '../support/fetched-wallets.ts'
import { figure } from '../support/figures.ts'
import { fund } from '../support/hostile-wallets.ts'
import { startLosingProxy } from '../support/losing-proxy.ts'
import { type RunningMoney, startMoney } from '../support/money.ts'
import { openPretendWeb, type PretendWeb } from '../support/pretend-web.ts'
import { type RunningSite, startSite } from '../support/running-site.ts'
import { openLibraryOf } from '../support/wallet-library.ts'

let money: RunningMoney
let web: PretendWeb
let site: RunningSite
let proxy: Awaited<ReturnType<typeof startLosingProxy>>
beforeAll(async () => {
  money = await startMoney()
  web = await openPretendWeb({ 'news.test': { '/tides': '<title>Tides</title><main><p>The sea rises.</p></main>' } })
  const env = { EGRESS_TEST_HOSTS: web.egress('news.test'), EGRESS_TEST_CA: web.caFile }
  site = await startSite({ ...money, env })
  proxy = await startLosingProxy(site.port)
})
afterAll(async () => {
  proxy?.close()
  await site?.kill('SIGTERM')
  await web?.close()
  await money?.stop()
})

interface Kind extends Order {
  readonly micros: bigint
  /** What the bytes contain. */
  readonly holds: string
  /** Whether the proxy loses the response to the payment; otherwise only the buyer loses the file. */
  readonly isLost: boolean
  /** Whether an owner gets it again by the same request. Other products are fetched from the library. */
  readonly isLasting: boolean
  /**
   * Whether it takes a second or more to make. Of the clients that are replayed here, one of each transport buys it.
   */
  readonly isMade?: boolean
}
const skill = (slug: string, isLost: boolean): Kind => ({
  path: `/skills/${slug}/raw`,
  ...{ tool: 'buy_skill', given: { slug }, micros: 100_000n, holds: `name: ${slug}` },
  ...{ isLost, isLasting: true },
})
const toWork = (path: string, tool: string, given: Record<string, unknown>) => ({
  ...{ path, tool, given, input: given },
  isLasting: false,
})
const kinds: readonly Kind[] = [
  skill('feed-doctor', false),
  skill('x402-buyer', true),
  {
    path: '/llms-full.txt',
    ...{ tool: 'get_all_posts_as_text', given: {}, micros: 250_000n, holds: '# ' },
    ...{ isLost: true, isLasting: true },
  },
  {
    path: '/api/export/posts',
    ...{ tool: 'get_all_posts_as_json', given: {}, micros: 500_000n, holds: '"slug"' },
    ...{ isLost: false, isLasting: true },
  },
  {
    ...toWork('/api/x402/llms/pack', 'pack_web_pages', {
      urls: ['https://news.test/tides', 'https://news.test/tides?again'],
    }),
    ...{ micros: 70_000n, holds: 'The sea rises.', isLost: true },
  },
  {
    ...toWork('/api/x402/media/image/generate', 'make_cover_image', { title: 'Tides' }),
    ...{ micros: 50_000n, holds: '\xff\xd8\xff', isLost: false, isMade: true },
  },
  {
    ...toWork('/api/x402/media/narrate', 'read_text_aloud', { text: 'Paid in full.' }),
    ...{ micros: 50_000n, holds: 'ID3', isLost: true, isMade: true },
  },
]

const quick = kinds.filter(({ isMade }) => !isMade)
const buyAll = ['@x402/fetch 2.27', '@x402/mcp 2.10, replayed']

/**
 * Buys one of each kind with a new wallet, loses each, and gets each again. The balance on the chain shows the cost.
 */
async function buyLoseAndGetAgain(open: OpenClient, kinds: readonly Kind[]): Promise<void> {
  const privateKey = keccak256(randomBytes(32))
  const { address } = privateKeyToAccount(privateKey)
  await fund(money.rpc, address, 5_000_000n)
  const client = await open(privateKey, proxy.url)
  const balance = () => money.balanceOf(address)
  try {
    for (const kind of kinds) {
      const { path, micros, holds, isLost, isLasting } = kind
      const [before, lost] = [await balance(), proxy.lost()]
      if (isLost) proxy.loseNext()
      const first = await client.get(kind).catch((error: unknown) => {
        if (proxy.lost() === lost) throw error
      })
      expect([path, proxy.lost() - lost, first === undefined, before - (await balance())]).toEqual([
        path,
        isLost ? 1 : 0,
        isLost,
        micros,
      ])
      const library = await openLibraryOf(privateKey, site.fetch)
      const owned = await library.fetchNewest(path)
      const again = isLasting ? await client.get(kind) : owned
      expect([path, before - (await balance())]).toEqual([path, micros])
      expect([path, again.equals(first ?? owned), again.toString('latin1').includes(holds)]).toEqual([path, true, true])
    }
    const transfers = (await money.transfersTo()).filter(({ from }) => from === address)
    expect(transfers.map(({ value }) => value)).toEqual(kinds.map(({ micros }) => micros))
  } finally {
    await client.close()
  }
}

describe('a third-party client buys one of each kind, loses the response or the file, and gets each again for free', () => {
  it.each(buyingClients)('%s', (name, open) => buyLoseAndGetAgain(open, buyAll.includes(name) ? kinds : quick), 120_000)
})

it('the facilitator lists a tool as the shop describes it, whatever the client has echoed of it', async () => {
  const answer = await fetch(`${money.facilitatorUrl}/discovery/resources?type=mcp&limit=100`)
  const { items } = resourceListSchema.parse(await answer.json())
  expect(items.map(({ resource }) => resource).toSorted()).toEqual(
    [...new Set(kinds.map(({ tool }) => `mcp://tool/${tool}`))].toSorted(),
  )
  expect(items.find(({ resource }) => resource === 'mcp://tool/pack_web_pages')).toMatchObject({
    description: expect.stringContaining('pages'),
    extensions: { bazaar: { info: { input: { toolName: 'pack_web_pages' } } } },
  })
})

/** These clients are fetched from the npm registry (430 MB), so that they only run in the deep tests. */
describe.runIf(figure(0, 1) === 1)('the published client itself does so as well', () => {
  it.each(fetchedClients)('%s', (_, open) => buyLoseAndGetAgain(open, kinds), 600_000)
})
