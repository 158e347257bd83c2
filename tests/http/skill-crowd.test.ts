import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { fund } from '../support/hostile-wallets.ts'
import { type RunningMoney, startMoney } from '../support/money.ts'
import { type RunningSite, startSite, testBaseUrl } from '../support/running-site.ts'
import { sign } from '../support/stock-client.ts'

const skillPath = '/skills/feed-doctor/raw'
const crowd = 64

let money: RunningMoney
let site: RunningSite
beforeAll(async () => {
  money = await startMoney()
  site = await startSite(money)
})
afterAll(async () => {
  await site?.kill('SIGTERM')
  await money?.stop()
})

it(`sells a skill to ${crowd} wallets that come at the same moment, without sending one away for being busy`, async () => {
  const signed: string[] = []
  for (let buyer = 0; buyer < crowd; buyer += 1) {
    const privateKey = generatePrivateKey()
    await fund(money.rpc, privateKeyToAddress(privateKey), 100_000n)
    signed.push((await sign(testBaseUrl + skillPath, undefined, { privateKey, fetch: site.fetch })).header)
  }
  const answers = await Promise.all(
    signed.map(async (header) => {
      const answer = await site.fetch(skillPath, { headers: { 'PAYMENT-SIGNATURE': header } })
      await answer.arrayBuffer()
      return `${answer.status} ${answer.headers.get('x-charged')}`
    }),
  )
  expect(new Set(answers)).toEqual(new Set(['200 null']))
})
