import { describe, expect, it } from 'vitest'
import { sandboxAccounts } from '../../src/config/sandbox-accounts.ts'
import { testGameUrl } from '../support/running-service.ts'
import { testBaseUrl } from '../support/running-site.ts'
import { sign } from '../support/stock-client.ts'
import { getJson, readTerms, type Service, toPost } from './asking.ts'

export function authentication(service: Service): void {
  describe('Authentication', () => {
    it('1. free routes need no credential, and a wrong one does not matter', async () => {
      const headers = { authorization: 'Bearer nothing', 'payment-signature': 'nothing' }
      for (const path of ['/api/catalog.json', '/api/stats.json', '/skills.json', '/api/search.json?q=pay'])
        expect((await service().fetch(path, { headers })).status).toBe(200)
    })

    it('2. paid routes describe the payment in PAYMENT-REQUIRED and take it in PAYMENT-SIGNATURE', async () => {
      const url = `${testBaseUrl}/skills/x402-buyer/raw`
      const { accepts } = readTerms(await service().fetch(url))
      expect(accepts[0]).toMatchObject({
        scheme: 'exact',
        network: 'eip155:8453',
        asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
        payTo: expect.stringMatching(/^0x[0-9a-fA-F]{40}$/),
        amount: '100000',
      })
      const { privateKey } = sandboxAccounts.buyer
      const { header } = await sign(url, undefined, { privateKey, fetch: service().fetch })
      expect((await service().fetch(url, { headers: { 'PAYMENT-SIGNATURE': header } })).status).toBe(200)
    })

    it('3. the store takes the signature the same way, and knows the player by playerName', async () => {
      const paid = await service().pay(`${testGameUrl}/api/store/unlock`, toPost({ sku: 'tip_3', playerName: 'Named' }))
      expect([paid.status, (await paid.json()).player]).toEqual([200, 'Named'])
    })

    it('4. credits are redeemed by playerName and resumeToken together, and by neither alone', async () => {
      const { playerName, resumeToken } = service().veteran
      const redeem = (body: object) =>
        service().fetch(`${testGameUrl}/api/credits/redeem`, toPost({ sku: 'agent_cup_entry', ...body }))
      expect((await redeem({ playerName, resumeToken: 'rt_wrong' })).status).toBe(401)
      expect((await redeem({ playerName: 'Somebody', resumeToken })).status).toBe(401)
      expect((await redeem({ playerName })).status).toBe(400)
    })

    it('5. the MCP route is open but for the tools of the operator, which say where a token is got', async () => {
      const { pointers } = await getJson(service, '/api/catalog.json')
      const call = (method: string, params: object) =>
        service().fetch(
          pointers.mcp,
          toPost({ jsonrpc: '2.0', id: 1, method, params }, { accept: 'application/json, text/event-stream' }),
        )
      expect((await call('tools/list', {})).status).toBe(200)
      const refused = await call('tools/call', { name: 'sales_report', arguments: {} })
      const challenge = refused.headers.get('www-authenticate') ?? ''
      const [, metadata = ''] = /^Bearer .*resource_metadata="([^"]+)"/.exec(challenge) ?? []
      expect([refused.status, metadata]).toEqual([401, expect.stringContaining(pointers.mcp_oauth)])
      for (const url of [pointers.mcp_oauth, metadata])
        expect(await getJson(service, url)).toMatchObject({
          resource: pointers.mcp,
          authorization_servers: [expect.any(String)],
        })
    })
  })
}
