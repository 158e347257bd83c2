import { createHmac } from 'node:crypto'

/**
 * The signed headers of one attempt to deliver a message (Standard Webhooks 1.0). `seconds`: Unix time of the attempt.
 */
export function signMessage(key: Buffer, { id, body }: { id: string; body: string }, seconds: number) {
  const signature = createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64')
  return { 'webhook-id': id, 'webhook-timestamp': String(seconds), 'webhook-signature': `v1,${signature}` }
}
