import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { z } from 'zod'

const Signed = z.object({ paymentPayload: z.object({ payload: z.object({ signature: z.string() }) }) })

/**
 * Where an indiscreet facilitator repeats what it received: in an error, in the reason of a refusal at verify or at
 * settle, in a field name, in a text that is not JSON, or in the address of a redirect.
 */
export const echoes = ['error', 'reason', 'settle-reason', 'field', 'text', 'location'] as const

/** A facilitator that repeats everything it receives, including the credentials of its caller. */
export async function startEchoingFacilitator() {
  const echoing = { url: '', next: 'error' as (typeof echoes)[number], close: async () => {} }
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const body = Buffer.concat(await request.toArray()).toString('utf8')
    const heard = JSON.stringify(request.headers) + body
    const signature = Signed.safeParse(body === '' ? {} : JSON.parse(body)).data?.paymentPayload.payload.signature ?? ''
    const send = (status: number, answer: object) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
    const reason = signature.slice(2)
    switch (echoing.next) {
      case 'error':
        return send(500, { error: heard })
      case 'reason':
        return send(200, { isValid: false, invalidReason: reason, invalidMessage: heard })
      case 'settle-reason':
        if (request.url === '/verify') return send(200, { isValid: true, payer: heard })
        return send(200, { success: false, errorReason: reason, errorMessage: heard, transaction: signature })
      case 'field':
        return send(200, { [heard]: true })
      case 'text':
        return response.writeHead(200, { 'content-type': 'text/html' }).end(`${heard} is not understood`)
      case 'location':
        return response.writeHead(307, { location: `/again?${encodeURIComponent(heard)}` }).end()
    }
  }
  const server = createServer((request, response) => void answer(request, response).catch(() => response.destroy()))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (typeof address !== 'object' || !address) throw new Error('the echoing facilitator has no port')
  echoing.url = `http://127.0.0.1:${address.port}`
  echoing.close = async () => {
    const closed = once(server, 'close')
    server.close()
    server.closeAllConnections()
    await closed
  }
  return echoing
}
