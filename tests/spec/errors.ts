import { describe, expect, it } from 'vitest'
import { sandboxAccounts } from '../../src/config/sandbox-accounts.ts'
import { openPretendOpenai } from '../support/pretend-openai.ts'
import { htmlReply, jsonReply } from '../support/pretend-provider.ts'
import { blankPicture } from '../support/provider-picture.ts'
import { startSite, testBaseUrl } from '../support/running-site.ts'
import { sign } from '../support/stock-client.ts'
import { readTerms, type Service, toPost } from './asking.ts'

export function errors(service: Service): void {
  const packUrl = `${testBaseUrl}/api/x402/llms/pack`

  describe('Errors', () => {
    it('402: a paid route without valid payment carries PAYMENT-REQUIRED', async () => {
      for (const signature of [undefined, 'no base64 of anything', Buffer.from('{}').toString('base64')]) {
        const headers: Record<string, string> = signature === undefined ? {} : { 'payment-signature': signature }
        const answer = await service().fetch('/llms-full.txt', { headers })
        expect([answer.status, readTerms(answer).x402Version]).toEqual([402, 2])
      }
    })

    it('402: a payment that its wallet cannot cover is refused uncharged', async () => {
      const url = `${testBaseUrl}/api/x402/media/image/generate`
      const order = toPost({ title: 'A lamp' })
      const { privateKey, address } = sandboxAccounts.pauper
      const { header } = await sign(url, order, { privateKey, fetch: service().fetch })
      const refused = await service().fetch(url, {
        ...order,
        headers: { ...order.headers, 'PAYMENT-SIGNATURE': header },
      })
      expect([refused.status, (await refused.json()).charged]).toEqual([402, false])
      const payers = (await service().money.transfersTo()).map(({ from }) => from?.toLowerCase())
      expect(payers).not.toContain(address.toLowerCase())
    })

    it.each(['/audio/no-such-key.mp3', '/audio/no-such-key', '/audio/{storage_key}', '/audio/{storage_key}.wav'])(
      '404: %s, an unknown storage key or a path that does not end in .mp3',
      async (path) => {
        const answer = await service().fetch(path.replace('{storage_key}', service().storageKey))
        expect(answer.status).toBe(404)
      },
    )

    it('416: the range of an audio file cannot be had', async () => {
      const headers = { range: 'bytes=999999-' }
      const answer = await service().fetch(`/audio/${service().storageKey}.mp3`, { headers })
      expect([answer.status, answer.headers.get('content-range')]).toEqual([416, 'bytes */4096'])
    })

    it('rule 1. after a 5xx nothing is settled, and the same body with the same signature is sold', async () => {
      const order = toPost({ urls: ['https://late.test/page'] })
      const { privateKey } = sandboxAccounts.buyer
      const { header } = await sign(packUrl, order, { privateKey, fetch: service().fetch })
      const ask = () =>
        service().fetch(packUrl, { ...order, headers: { ...order.headers, 'PAYMENT-SIGNATURE': header } })
      const sold = async () => (await service().money.transfersTo()).filter(({ value }) => value === 60_000n).length
      const before = await sold()
      const failed = await ask()
      expect([failed.status, (await failed.json()).charged]).toEqual([502, false])
      expect(await sold()).toBe(before)
      service().serve('late.test', { '/page': '<title>Late</title><main><p>Here after all.</p></main>' })
      expect((await ask()).status).toBe(200)
      expect(await sold()).toBe(before + 1)
    })

    it('rule 2. an image is not charged when its generation or its review fails', async () => {
      const provider = await openPretendOpenai({ isOpen: true })
      const env = { IMAGE_ENGINE: 'openai', OPENAI_BASE_URL: `${provider.url}/v1` }
      const site = await startSite({ ...service().money, env })
      try {
        const url = `${testBaseUrl}/api/x402/media/image/generate`
        const order = toPost({ title: 'A lamp' })
        const { privateKey } = sandboxAccounts.buyer
        const { header } = await sign(url, order, { privateKey, fetch: site.fetch })
        const ask = () => site.fetch(url, { ...order, headers: { ...order.headers, 'PAYMENT-SIGNATURE': header } })
        const sold = async () => (await service().money.transfersTo()).filter(({ value }) => value === 50_000n).length
        const before = await sold()
        const blank = jsonReply({ data: [{ b64_json: (await blankPicture(1536, 1024)).toString('base64') }] })
        // The review rejects a blank picture, and then the second one that it asks for.
        for (const replies of [[htmlReply(503)], [blank, blank]]) {
          provider.faults.push(...replies.map((reply) => ({ is: 'instead', reply }) as const))
          const failed = await ask()
          expect([failed.status, (await failed.json()).charged, await sold()]).toEqual([502, false, before])
          expect(provider.faults).toEqual([])
        }
        expect([(await ask()).status, await sold()]).toEqual([200, before + 1])
      } finally {
        await site.kill('SIGTERM')
        await provider.close()
      }
    })
  })
}
