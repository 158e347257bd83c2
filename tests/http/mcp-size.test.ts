import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { sandboxPayTo } from '../../src/config/sandbox-accounts.ts'
import { type RunningSite, startSite } from '../support/running-site.ts'
import { tokensOf } from '../support/token-count.ts'

/** The tokens with a usual wallet address in place of that of the sandbox, which is nearly all ones and takes fewer. */
const atLarge = (value: unknown) =>
  tokensOf(JSON.parse(JSON.stringify(value).replaceAll(sandboxPayTo, '0x209693Bc6afc0C5328bA36FaF03C514EF312287C')))

let site: RunningSite
beforeAll(async () => {
  // Nothing is bought, so that nothing has to listen at these addresses.
  site = await startSite({ facilitatorUrl: 'http://127.0.0.1:9', rpcUrl: 'http://127.0.0.1:9' })
})
afterAll(() => site?.kill('SIGTERM'))

const ask = async (method: string, params: object = {}) => {
  const response = await site.fetch('/api/mcp', {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: '*/*' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  return z.object({ result: z.looseObject({}) }).parse(await response.json()).result
}
const listSchema = z.object({
  tools: z.array(z.looseObject({ name: z.string(), _meta: z.looseObject({}).optional() })),
})

const skillsSchema = z.object({ items: z.array(z.object({ slug: z.string() })).min(1) })

/** For how many tools 2,500 tokens are enough. Each further product brings tokens of its own. */
const firstTools = 15

it('the list of the tools with their prices takes few tokens', async () => {
  const list = await ask('tools/list')
  const { tools } = listSchema.parse(list)
  expect(tools.length).toBeGreaterThan(12)
  expect(atLarge(list)).toBeLessThan(2500 + 300 * Math.max(0, tools.length - firstTools))
  expect(tools.find(({ name }) => name === 'get_all_posts_as_text')?._meta).toEqual({
    x402: {
      paymentRequired: true,
      scheme: 'exact',
      network: 'eip155:8453',
      amount: '250000',
      asset: expect.stringMatching(/^0x[0-9a-fA-F]{40}$/),
      payTo: expect.stringMatching(/^0x[0-9a-fA-F]{40}$/),
      maxTimeoutSeconds: expect.any(Number),
      extra: { name: 'USD Coin', version: '2' },
    },
    'agents-x402/paymentRequired': true,
    'agents-x402/priceUSD': 0.25,
  })
})

it('the response of every paid tool without a payment takes few tokens', async () => {
  const { tools } = listSchema.parse(await ask('tools/list'))
  const paid = tools.filter(({ _meta }) => _meta).map(({ name }) => name)
  expect(paid.length).toBeGreaterThan(5)
  const { items } = skillsSchema.parse(await (await site.fetch('/skills.json')).json())
  const sizes: [string, number][] = []
  for (const name of paid)
    for (const slug of name === 'buy_skill' ? items.map((item) => item.slug) : [undefined]) {
      const answer = await ask('tools/call', { name, arguments: slug === undefined ? {} : { slug } })
      expect(answer).toMatchObject({
        isError: true,
        structuredContent: { accepts: [{ scheme: 'exact' }] },
        _meta: { 'x402/error': { accepts: [{ scheme: 'exact' }] } },
      })
      sizes.push([`${name} ${slug ?? ''}`.trim(), atLarge(answer)])
    }
  expect(sizes.filter(([, tokens]) => tokens >= 700)).toEqual([])
})
