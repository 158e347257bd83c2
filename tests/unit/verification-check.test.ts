import { createServer, type RequestListener } from 'node:http'
import { json } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { network, usdcAddress } from '../../src/core/chain-constants.ts'
import { makeVerificationCheck } from '../../src/health/check-verification.ts'
import { listen } from '../../src/http/listen.ts'

const wallet = { network, asset: usdcAddress, payTo: '0x4444444444444444444444444444444444444444' }

async function look(answer: RequestListener, more: { readonly isOneOfSeveral?: boolean } = {}) {
  const server = createServer(answer)
  const { port } = await listen(server, { host: '127.0.0.1', port: 0 })
  const url = `http://127.0.0.1:${port}`
  const check = makeVerificationCheck({ name: 'f', url, headers: { 'x-key': 'k' }, wallet, ...more })
  const finding = await check.run()
  server.closeAllConnections()
  server.close()
  return finding
}

describe('a facilitator asked about a valid payment of an empty wallet', () => {
  it.each([
    [200, '{"isValid":false,"invalidReason":"insufficient_funds"}'],
    [200, '{"isValid":true}'],
    [400, '{"isValid":false}'],
  ])('passes if it gives any verdict: %i %s', async (status, body) => {
    expect(await look((_, response) => void response.writeHead(status).end(body))).toEqual({
      is: 'ok',
      sentence: 'The payment facilitator verifies payments for this shop.',
    })
  })

  it.each([
    [401, '{"error":"who are you"}'],
    [401, 'Unauthorized: who are you'],
    [403, '<html><title>who are you</title></html>'],
    [404, ''],
    [200, '{"isValid":"who are you"}'],
  ])('fails if it answers something else, whose status is reported: %i %s', async (status, body) => {
    const finding = await look((_, response) => void response.writeHead(status).end(body))
    expect(finding).toEqual({
      is: 'failure',
      sentence: `The payment facilitator does not verify payments, so nothing can be sold: it answers HTTP ${status} without a verdict.`,
      advice: 'Check FACILITATOR_HEADERS. If that is right, ask its operator.',
    })
  })

  it('fails if it hangs up, and is then skipped among several', async () => {
    const finding = await look((_, response) => void response.destroy(), { isOneOfSeveral: true })
    expect(finding?.sentence).toBe(
      'The payment facilitator f does not verify payments, and is left out: it gives no answer.',
    )
  })

  it('gets its configured headers, and a payment of about a cent to the shop’s wallet', async () => {
    const asked: unknown[] = []
    await look((request, response) => {
      const { url, headers } = request
      const take = (body: unknown) => {
        asked.push({ url, key: headers['x-key'], body })
        response.end('{"isValid":false}')
      }
      json(request).then(take, () => response.destroy())
    })
    const paymentRequirements = { amount: '10000', payTo: wallet.payTo }
    expect(asked).toMatchObject([{ url: '/verify', key: 'k', body: { x402Version: 2, paymentRequirements } }])
  })
})
