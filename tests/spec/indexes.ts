import { validatePaymentRequiredDetailed } from '@agentcash/discovery'
import { HTTPFacilitatorClient } from '@x402/core/http'
import type { PaymentRequired } from '@x402/core/types'
import {
  type DiscoveryExtension,
  extractDiscoveryInfo,
  validateDiscoveryExtension,
  validateDiscoveryExtensionSpec,
  withBazaar,
} from '@x402/extensions/bazaar'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { testGameUrl } from '../support/running-service.ts'
import { testBaseUrl } from '../support/running-site.ts'
import { testedOffers } from '../support/tested-offers.ts'
import { readTerms, type Service, toPost } from './asking.ts'

const extension = z.custom<DiscoveryExtension & Record<string, unknown>>(
  (value) => typeof value === 'object' && value !== null,
)

/** A line of the list of paid addresses. */
interface Item {
  readonly url: string
  readonly method: string
  readonly example?: object
}

const hosts = [
  [testBaseUrl, testedOffers().length],
  // Everything in the store is bought at one address.
  [testGameUrl, 1],
] as const

/** What indexes read in our responses, by the programs that they publish themselves. */
export function indexes(service: Service): void {
  describe('Indexes', () => {
    /** The 402 of everything that a host sells, asked for as its list of paid addresses says. */
    const readAllTerms = async (origin: string): Promise<PaymentRequired[]> => {
      const { items }: { items: Item[] } = await (await service().fetch(`${origin}/.well-known/x402`)).json()
      const ask = async ({ url, method, example }: Item) =>
        readTerms(await service().fetch(url, example === undefined ? { method } : toPost(example)))
      return Promise.all(items.map(ask))
    }

    it.each(hosts)('that facilitators keep list each address of %s once, %i in all', async (origin, count) => {
      const listed = (await readAllTerms(origin)).map((terms) => {
        const bazaar = extension.parse(terms.extensions?.['bazaar'])
        expect(validateDiscoveryExtension(bazaar)).toEqual({ valid: true })
        expect(validateDiscoveryExtensionSpec(bazaar)).toEqual({ valid: true })
        const [accepted = expect.fail('no terms')] = terms.accepts
        const found = extractDiscoveryInfo({ ...terms, accepted, payload: {} }, accepted)
        expect(found?.discoveryInfo.output?.example).toBeTruthy()
        return found?.resourceUrl
      })
      expect(new Set(listed).size).toBe(count)
      expect(new Set(listed)).toEqual(new Set((await readAllTerms(origin)).map(({ resource }) => resource.url)))
    })

    it('read everything for sale at /discovery/resources, in parts, as facilitators list it', async () => {
      const read = async (query: string) => (await service().fetch(`/discovery/resources${query}`)).json()
      const { items, pagination } = await read('')
      expect(pagination).toEqual({ limit: 100, offset: 0, total: testedOffers().length })
      const terms = new Map((await readAllTerms(testBaseUrl)).map((one) => [one.resource.url, one]))
      for (const item of items) {
        const { accepts, extensions, resource } = terms.get(item.resource) ?? expect.fail(item.resource)
        expect(item).toMatchObject({ type: 'http', x402Version: 2, mimeType: resource.mimeType })
        expect(item.extensions.bazaar).toEqual(extensions?.['bazaar'])
        expect(item.accepts[0].payTo).toBe(accepts[0]?.payTo)
        expect(Date.parse(item.lastUpdated)).toBeLessThanOrEqual(Date.now())
      }
      const part = await read('?limit=2&offset=1&type=http')
      expect(part.items).toEqual(items.slice(1, 3))
      expect(part.pagination).toEqual({ limit: 2, offset: 1, total: items.length })
      expect((await read('?type=mcp')).items).toEqual([])
      expect((await service().fetch('/discovery/resources?limit=0')).status).toBe(400)
    })

    it('of the facilitator list what was bought through it, once', async () => {
      const { money, pay } = service()
      const bought = `${testBaseUrl}/llms-full.txt`
      await pay(bought)
      await pay(bought)
      const client = withBazaar(new HTTPFacilitatorClient({ url: money.facilitatorUrl }))
      const { items } = await client.extensions.bazaar.listResources({ type: 'http', limit: 100 })
      expect(items.filter(({ resource }) => resource === bought)).toMatchObject([
        { x402Version: 2, mimeType: 'text/plain', extensions: { bazaar: { info: { input: { method: 'GET' } } } } },
      ])
    })

    // AgentCash and x402scan use this validator.
    it.each(hosts)('that explorers keep find nothing wrong with any 402 of %s', async (origin) => {
      for (const terms of await readAllTerms(origin)) {
        const { valid, issues } = validatePaymentRequiredDetailed(terms)
        expect([terms.resource.url, valid, issues]).toEqual([terms.resource.url, true, []])
      }
    })
  })
}
