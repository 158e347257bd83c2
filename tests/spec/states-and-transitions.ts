import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { sandboxAccounts } from '../../src/config/sandbox-accounts.ts'
import { testBaseUrl } from '../support/running-site.ts'
import { sign } from '../support/stock-client.ts'
import { type Service, toPost } from './asking.ts'

export function statesAndTransitions(service: Service): void {
  describe('States and transitions', () => {
    it('image route: validate, generate, review, settle; a buyer who leaves before the picture is made is not charged', async () => {
      const url = `${testBaseUrl}/api/x402/media/image/generate`
      const order = toPost({ title: 'A bell', aspectRatio: '4:3' })
      const { privateKey } = sandboxAccounts.buyer
      const { header } = await sign(url, order, { privateKey, fetch: service().fetch })
      const ask = (signal?: AbortSignal) =>
        service().fetch(url, {
          ...order,
          headers: { ...order.headers, 'PAYMENT-SIGNATURE': header },
          ...(signal && { signal }),
        })
      const sold = async () => (await service().money.transfersTo()).filter(({ value }) => value === 50_000n).length
      const before = await sold()
      await expect(ask(AbortSignal.timeout(100))).rejects.toThrow()
      await wait(500)
      expect(await sold()).toBe(before)
      const answer = await ask()
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/jpeg'])
      expect(await sold()).toBe(before + 1)
    })
  })
}
