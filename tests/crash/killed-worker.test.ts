import { readdirSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sandboxAccounts } from '../../src/config/sandbox-accounts.ts'
import { type RunningMoney, startMoney } from '../support/money.ts'
import { type RunningSite, startSite, testBaseUrl } from '../support/running-site.ts'
import { sign } from '../support/stock-client.ts'

const { privateKey } = sandboxAccounts.buyer

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

/** The child processes that the site has now. */
const workersOf = (pid: number): number[] =>
  readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
    readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
  )

describe.runIf(process.platform === 'linux')('when the kernel kills the worker that makes a product', () => {
  it.each([
    ['a picture', '/api/x402/media/image/generate', { title: 'A hill in the rain', style: 'photographic' }],
    ['a narration', '/api/x402/media/narrate', { text: 'A farthing was a quarter of a penny. '.repeat(60) }],
  ])('the buyer of %s pays nothing, and then once for the same signature', async (_, path, body) => {
    const before = (await money.transfersTo()).length
    const url = testBaseUrl + path
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
    const { header } = await sign(url, init, { privateKey, fetch: site.fetch })
    const buy = () => site.fetch(url, { ...init, headers: { ...init.headers, 'PAYMENT-SIGNATURE': header } })
    const known = new Set(workersOf(site.child.pid ?? 0))
    let isAnswered = false
    const first = buy().finally(() => {
      isAnswered = true
    })
    // Kills every new worker until the purchase has failed. Before that, some sentences may have been spoken.
    await expect
      .poll(() => {
        for (const pid of workersOf(site.child.pid ?? 0)) if (!known.has(pid)) process.kill(pid, 'SIGKILL')
        return isAnswered
      })
      .toBe(true)
    const refused = await first
    expect([refused.status >= 500, await refused.json()]).toEqual([true, expect.objectContaining({ charged: false })])
    expect((await money.transfersTo()).length).toBe(before)

    const bought = await buy()
    expect(bought.status).toBe(200)
    const bytes = Buffer.from(await bought.arrayBuffer())
    const again = await buy()
    expect(bytes.equals(Buffer.from(await again.arrayBuffer()))).toBe(true)
    expect((await money.transfersTo()).length).toBe(before + 1)
  })
})
