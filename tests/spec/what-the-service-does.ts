import { describe, expect, it } from 'vitest'
import { sandboxPayTo } from '../../src/config/sandbox-accounts.ts'
import { testGameUrl } from '../support/running-service.ts'
import { getJson, readTerms, type Service } from './asking.ts'

export function whatTheServiceDoes(service: Service): void {
  describe('What the service does', () => {
    it('1. sells for USDC with x402 version 2 on Base (eip155:8453)', async () => {
      const { x402Version, accepts } = readTerms(await service().fetch('/llms-full.txt'))
      expect([x402Version, accepts[0].network, accepts[0].scheme]).toEqual([2, 'eip155:8453', 'exact'])
    })

    it('2. answers every paid route 402 with PAYMENT-REQUIRED first, and delivers to any x402 client', async () => {
      const url = '/skills/sqlite-in-production/raw'
      const first = await service().fetch(url)
      expect([first.status, first.headers.has('payment-required')]).toEqual([402, true])
      const paid = await service().pay(new URL(url, 'http://farthing.test').href)
      expect([paid.status, paid.headers.has('payment-response')]).toEqual([200, true])
    })

    it('3. has three lanes: skills, hosted APIs, paid content', async () => {
      const catalog = await getJson(service, '/api/catalog.json')
      const kinds = [...catalog.skills, ...catalog.hostedApis, ...catalog.content].map(({ kind }) => kind)
      expect([...new Set(kinds)]).toEqual(['skill', 'hostedApi', 'content'])
    })

    it.each([
      ['master catalog', '/api/catalog.json'],
      ['skills manifest', '/skills.json'],
      ['activity statistics', '/api/stats.json'],
      ['scheduled-job health', '/api/cron-health.json'],
      ['full-text search', '/api/search.json?q=payment'],
      ['skill install script', '/skills/feed-doctor/install'],
      ['narration audio', '/audio/{storage_key}.mp3'],
    ])('4. gives the %s free of charge', async (_, path) => {
      expect((await service().fetch(path.replace('{storage_key}', service().storageKey))).status).toBe(200)
    })

    it('5. has a game that is free to play, whose store is not pay-to-win', async () => {
      const access = await getJson(service, `${testGameUrl}/api/agent`)
      const store = await getJson(service, `${testGameUrl}/api/store`)
      expect([access.free_to_play, access.pay_to_win, store.pay_to_win]).toEqual([true, false, false])
      expect([...new Set(store.products.map(({ kind }: { kind: string }) => kind))].toSorted()).toEqual([
        'cosmetic',
        'tip',
        'tournament',
      ])
    })

    it('6. states the same constants on every paid route, with prices in USD and in micro-USD', async () => {
      const catalog = await getJson(service, '/api/catalog.json')
      for (const { x402 } of [...catalog.skills, ...catalog.hostedApis, ...catalog.content]) {
        const { priceUsd, priceMicroUsd, ...constants } = x402
        expect(constants).toEqual({
          scheme: 'exact',
          network: 'eip155:8453',
          asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
          assetName: 'USDC',
          payTo: sandboxPayTo,
        })
        expect(priceMicroUsd).toBe(String(Math.round(priceUsd * 1e6)))
      }
      expect(catalog.facilitator).toMatch(/^http/)
    })
  })
}
