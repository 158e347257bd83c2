import { PaymentRequiredV2Schema } from '@x402/core/schemas'
import { expect, it } from 'vitest'
import { pretendChain } from '../support/pretend-chain.ts'
import { encodeHeader, signPayment } from '../support/signed-payments.ts'
import { openTestShop, readTerms } from '../support/test-shop.ts'

const open = async (shopName: string) => {
  const clock = { ms: Date.now() }
  return openTestShop({ chain: pretendChain(clock), clock, shopName })
}

it.each(['http', 'mcp'] as const)(
  'a shop sells by %s to clients that echo its terms, whatever its name',
  async (via) => {
    for (const name of ['Farthing', 'Café Müller', 'مطبعة النهر', '活版印刷', `The ${'very '.repeat(9)}small press`]) {
      const shop = await open(name)
      const { resource, extensions } = readTerms(await shop.buyLeaflet())
      const { payload } = await signPayment({ amount: 100_000n })
      const answer = await shop.buyLeafletBy[via](encodeHeader({ ...payload, resource, extensions }))
      expect([name, answer.status]).toEqual([name, 200])
      await shop.db.destroy()
    }
  },
)

it.each([
  ['Farthing', 'Farthing'],
  ['A name of 32 characters, no more', 'A name of 32 characters, no more'],
  ['A name of 33 characters, one more', undefined],
  ['Café Müller', undefined],
])('a shop called %j is named %j within the length limit of x402', async (name, named) => {
  const shop = await open(name)
  const terms = readTerms(await shop.buyLeaflet())
  expect(PaymentRequiredV2Schema.safeParse(terms).error).toBeUndefined()
  expect(terms.resource.serviceName).toBe(named)
  await shop.db.destroy()
})
