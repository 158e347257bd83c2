import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { sandboxPayTo } from '../../src/config/sandbox-accounts.ts'
import { type RunningSite, startSite } from '../support/running-site.ts'
import { tokensOf } from '../support/token-count.ts'

/** Tokens where money goes to an address as people have them: that of the sandbox, nearly all ones, takes fewer. */
const atLarge = (value: unknown) =>
  tokensOf(JSON.parse(JSON.stringify(value).replaceAll(sandboxPayTo, '0x209693Bc6afc0C5328bA36FaF03C514EF312287C')))

let site: RunningSite
beforeAll(async () => {
  // Nothing is bought: nothing answers at these addresses.
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

/** How many tools there are room for in 2,500 tokens; a further product brings its own. */
const firstTools = 15

it('the list of the tools, prices and all, leaves a model room to think', async () => {
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

it('so does the whole answer of every tool that sells and was not paid', async () => {
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
