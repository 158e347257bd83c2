import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { Webhook } from 'standardwebhooks'
import { z } from 'zod'

const messageSchema = z.object({
  type: z.string(),
  timestamp: z.iso.datetime(),
  data: z.looseObject({}),
})

/** A message that the receiver accepted. */
export interface Heard extends z.output<typeof messageSchema> {
  readonly id: string
  readonly body: string
}

/** A fault that one delivery meets in place of 204. */
export type ReceiverFault = { is: 'answer'; status: number; location?: string } | { is: 'silence' } | { is: 'cut' }

/** A receiver of webhooks that accepts only what the official library of Standard Webhooks verifies. */
export async function openWebhookReceiver() {
  const secret = `whsec_${randomBytes(32).toString('base64')}`
  const webhook = new Webhook(secret)
  const heard: Heard[] = []
  const wrong: string[] = []
  const paths: string[] = []
  const faults: ReceiverFault[] = []
  const waiting = new Set<() => void>()

  const fail = (response: ServerResponse, fault: ReceiverFault): void => {
    if (fault.is === 'cut') response.destroy()
    if (fault.is === 'answer')
      response.writeHead(fault.status, fault.location === undefined ? {} : { location: fault.location }).end()
  }

  const hear = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const body = Buffer.concat(chunks).toString()
    paths.push(`${request.method} ${request.url}`)
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]))
    try {
      const message = messageSchema.parse(webhook.verify(body, headers))
      heard.push({ ...message, id: headers['webhook-id'] ?? '', body })
    } catch (error) {
      wrong.push(String(error))
    }
    const fault = faults.shift()
    if (fault) fail(response, fault)
    else response.writeHead(204).end()
    for (const wake of waiting) wake()
  }
  const server = createServer((request, response) => void hear(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = z.object({ port: z.number() }).parse(server.address())
  return {
    /** The settings of a site that sends webhooks to this receiver. */
    env: { WEBHOOK_URL: `http://127.0.0.1:${port}/hooks/?of=farthing`, WEBHOOK_SECRET: secret },
    /** All messages with a valid signature, in order of arrival. */
    heard,
    /** Why messages were not accepted. */
    wrong,
    paths,
    /** The faults of the next deliveries, in order; all later ones are accepted. */
    faults,
    /** Waits until the accepted messages meet a condition. */
    async until(isThere: () => boolean): Promise<void> {
      while (!isThere())
        await new Promise<void>((resolve) => {
          const wake = () => {
            waiting.delete(wake)
            resolve()
          }
          waiting.add(wake)
        })
    },
    async close(): Promise<void> {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

export type WebhookReceiver = Awaited<ReturnType<typeof openWebhookReceiver>>
