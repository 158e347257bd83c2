import { describe, expect, it } from 'vitest'
import { testGameUrl } from '../support/running-service.ts'
import { specSchemas } from '../support/spec-schemas.ts'
import { expectShape, getJson, readTerms, type Service, toPost } from './asking.ts'

export function gameHostRoutes(service: Service): void {
  const at = (path: string): string => testGameUrl + path

  describe('Game host routes', () => {
    it('GET /api/store answers the store catalog', async () => {
      expectShape(specSchemas.storeCatalog, await getJson(service, at('/api/store')))
    })

    it('POST /api/store/unlock takes sku and playerName, and unlocks the product after payment', async () => {
      const order = toPost({ sku: 'tip_3', playerName: 'Giver' })
      const unpaid = await service().fetch(at('/api/store/unlock'), order)
      expect([unpaid.status, readTerms(unpaid).accepts[0].amount]).toEqual([402, '3000000'])
      const paid = await service().pay(at('/api/store/unlock'), order)
      expect([paid.status, await paid.json()]).toMatchObject([
        200,
        { ok: true, sku: 'tip_3', player: 'Giver', grants: ['supporter', 'badge_tip'] },
      ])
    })

    it('POST /api/credits/redeem takes playerName, sku and resumeToken, for what has a creditPrice', async () => {
      const { playerName, resumeToken } = service().veteran
      const redeem = (sku: string) =>
        service().fetch(at('/api/credits/redeem'), toPost({ playerName, resumeToken, sku }))
      const redeemed = await redeem('death_frames_pro')
      expect([redeemed.status, await redeemed.json()]).toMatchObject([
        200,
        { ok: true, sku: 'death_frames_pro', charged: 100 },
      ])
      const { status } = await redeem('tip_3')
      expect(status).toBe(400)
    })

    it('GET /api/store/entitlements?player= answers what the player holds', async () => {
      const { player, entitlements } = await getJson(service, at('/api/store/entitlements?player=Giver'))
      expect([player, entitlements.toSorted()]).toEqual(['Giver', ['badge_tip', 'supporter']])
    })

    it('GET /api/mcp answers the tool-server descriptor with cursor_config', async () => {
      const { cursor_config: config } = await getJson(service, at('/api/mcp'))
      expect(config.mcpServers.dungeon.env).toEqual({
        DUNGEON_WS_URL: 'ws://undercroft.test/ws',
        DUNGEON_HTTP_URL: testGameUrl,
      })
    })

    it('GET /api/agent answers the agent descriptor', async () => {
      expect(await getJson(service, at('/api/agent'))).toMatchObject({ name: 'agent', gate: false })
    })

    it.each([
      ['/store.html', 'text/html'],
      ['/play.html', 'text/html'],
      ['/mcp.html', 'text/html'],
      ['/skill', 'text/markdown'],
      ['/agents.md', 'text/markdown'],
      ['/llms.txt', 'text/plain'],
    ])('GET %s is a static page (%s)', async (path, type) => {
      const answer = await service().fetch(at(path))
      expect([answer.status, answer.headers.get('content-type')?.split(';')[0]]).toEqual([200, type])
    })

    it('failed at nothing', () => {
      expect(service().failures).toEqual([])
    })
  })
}
