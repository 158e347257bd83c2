import { describe, expect, it } from 'vitest'
import { resourceListSchema } from '../../src/offers/resource-list.ts'
import { makeSettledResources } from '../../src/sandbox/settled-resources.ts'

const wallet = '0x1111111111111111111111111111111111111402'
const terms = {
  scheme: 'exact',
  network: 'eip155:8453',
  asset: wallet,
  amount: '1',
  payTo: wallet,
  extra: { name: 'x' },
}
const payment = (url: string, input: object = { type: 'http', method: 'GET' }) => ({
  x402Version: 2,
  resource: { url, description: 'A thing' },
  extensions: { bazaar: { info: { input } } },
})
const open = () => makeSettledResources(() => Date.parse('2026-11-20T09:00:00Z'))
const list = (resources: ReturnType<typeof open>, query = '') =>
  resourceListSchema.parse(resources.list(new URLSearchParams(query)))

describe('the list of settled resources', () => {
  it('has each address once, latest first, as its latest payment described it', () => {
    const resources = open()
    resources.keep(payment('https://a.example/one?x=1'), terms)
    resources.keep(payment('https://a.example/two'), terms)
    resources.keep(payment('https://a.example/one?x=2#top'), { ...terms, amount: '2' })
    const { items } = list(resources)
    expect(items.map(({ resource, accepts }) => [resource, accepts[0]?.amount])).toEqual([
      ['https://a.example/one', '2'],
      ['https://a.example/two', '1'],
    ])
  })

  it('can be filtered by extensions of its items, but not by properties of every object', () => {
    const resources = open()
    resources.keep(payment('https://a.example/one'), terms)
    const totals = ['bazaar', 'constructor'].map((name) => list(resources, `extensions=${name}`).pagination.total)
    expect(totals).toEqual([1, 0])
  })

  it('lists several tools of one address', () => {
    const resources = open()
    for (const toolName of ['read', 'write', 'read'])
      resources.keep(payment('https://a.example/mcp', { type: 'mcp', toolName, inputSchema: {} }), terms)
    expect(list(resources, 'type=mcp').pagination.total).toBe(2)
    expect(list(resources, 'type=http').items).toEqual([])
  })

  it('omits resources without a description, and invalid addresses', () => {
    const resources = open()
    resources.keep({ x402Version: 2, resource: { url: 'https://a.example/' } }, terms)
    for (const url of ['/relative', 'javascript:alert(1)', 'file:///etc/passwd']) resources.keep(payment(url), terms)
    expect(list(resources).items).toEqual([])
  })

  it('keeps the latest thousand', () => {
    const resources = open()
    for (let at = 0; at < 1003; at += 1) resources.keep(payment(`https://a.example/${at}`), terms)
    const { pagination, items } = list(resources, 'limit=1&offset=999')
    expect([pagination.total, items[0]?.resource]).toEqual([1000, 'https://a.example/3'])
  })

  it('refuses invalid queries', () => {
    for (const query of ['limit=0', 'limit=1001', 'offset=-1'])
      expect(open().list(new URLSearchParams(query))).toBeUndefined()
  })
})
