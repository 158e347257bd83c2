import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { sandboxAccounts } from '../../src/config/sandbox-accounts.ts'
import { type RunningMoney, startMoney } from '../support/money.ts'
import { type RunningSite, startSite, testBaseUrl } from '../support/running-site.ts'
import { payingFetch } from '../support/stock-client.ts'
import { askForTip, signForTip } from '../support/tip-purchase.ts'
import { openWebhookReceiver, type WebhookReceiver } from '../support/webhook-receiver.ts'

const catalog = '/api/x402/agent-seo/bot-catalog'
const dataDir = mkdtempSync(join(tmpdir(), 'farthing-webhooks-'))
let money: RunningMoney
let receiver: WebhookReceiver
let site: RunningSite
const start = () => startSite({ ...money, dataDir, env: receiver.env })

beforeAll(async () => {
  ;[money, receiver] = await Promise.all([startMoney(), openWebhookReceiver()])
  site = await start()
})
beforeEach(() => {
  receiver.heard.length = 0
})
afterAll(async () => {
  await site?.kill('SIGTERM')
  await receiver?.close()
  await money?.stop()
  rmSync(dataDir, { recursive: true, force: true })
})

async function buy(): Promise<{ receiptId: string | null }> {
  const answer = await payingFetch(sandboxAccounts.buyer.privateKey, site.fetch)(testBaseUrl + catalog)
  expect(answer.status).toBe(200)
  return { receiptId: answer.headers.get('x-receipt-id') }
}
const about = (receiptId: string | null) => ({ receipt: expect.objectContaining({ id: receiptId }) })
const heardOf = (receiptId: string | null) => receiver.heard.filter(({ body }) => body.includes(`${receiptId}`))

describe('the receiver of webhooks', () => {
  it('gets each sale with a signature that it can verify, at exactly its address', async () => {
    const { receiptId } = await buy()
    await receiver.until(() => heardOf(receiptId).length > 0)
    expect(receiver.heard).toMatchObject([
      {
        id: expect.stringMatching(/^msg_[0-9a-f]{32}$/),
        type: 'payment.settled',
        data: {
          offerId: 'bot-catalog',
          receipt: {
            id: receiptId,
            path: catalog,
            amountMicroUsd: '50000',
            transaction: expect.stringMatching(/^0x[0-9a-f]{64}$/),
          },
        },
      },
    ])
    expect(new Set(receiver.paths)).toEqual(new Set(['POST /hooks/?of=farthing']))
  })

  it('gets the sales of the game host, which knows neither its address nor the secret', async () => {
    const game = await startSite({ ...money, dataDir, program: 'game-server/host/main.ts' })
    const { header } = await signForTip()
    const answer = await askForTip(game.port, '/api/store/unlock', header)
    expect(answer.status).toBe(200)
    await receiver.until(() => receiver.heard.length > 0)
    expect(receiver.heard).toMatchObject([{ type: 'payment.settled', data: about(answer.header('x-receipt-id')) }])
    await game.kill('SIGTERM')
  })

  it('gets the same message again when it fails, and no sale waits for it', async () => {
    receiver.faults.push({ is: 'answer', status: 500 })
    const first = await buy()
    await receiver.until(() => heardOf(first.receiptId).length === 1)
    // The second attempt gets no response, and the shop goes on selling.
    receiver.faults.push({ is: 'silence' })
    await receiver.until(() => heardOf(first.receiptId).length === 2)
    const second = await buy()
    expect(receiver.heard).toHaveLength(2)
    const [once, again] = receiver.heard
    expect([again?.id, again?.body]).toEqual([once?.id, once?.body])
    expect(heardOf(second.receiptId)).toEqual([])
    expect(site.output()).toMatch(/"level":"warn","event":"webhook.failed".*the receiver answered 500/)
  })

  it('gets after a kill -9 what was not delivered before, under the same id', async () => {
    // The message before still waits for its response, and behind it waits a sale that was not sent yet.
    const { receiptId } = await buy()
    expect(heardOf(receiptId)).toEqual([])
    await site.kill('SIGKILL')
    site = await start()
    await receiver.until(() => heardOf(receiptId).length === 1)
    const [told] = heardOf(receiptId)
    // Here the site is killed after it has sent the message and before it gets the response.
    receiver.faults.push({ is: 'silence' })
    const next = await buy()
    await receiver.until(() => heardOf(next.receiptId).length === 1)
    await site.kill('SIGKILL')
    site = await start()
    await receiver.until(() => heardOf(next.receiptId).length === 2)
    expect(new Set(heardOf(next.receiptId).map(({ id }) => id)).size).toBe(1)
    expect(heardOf(next.receiptId)[0]?.id).not.toBe(told?.id)
  })

  it('never got a message that it cannot verify, and the log does not contain the secret', () => {
    expect(receiver.wrong).toEqual([])
    expect(site.output()).not.toContain(receiver.env.WEBHOOK_SECRET.slice(6))
    expect(site.output()).not.toContain('server.error')
  })
})
