import type { IncomingMessage } from 'node:http'
import { readCapped } from './read-capped.ts'

/**
 * Reads a body completely. The time limit is that of the server (`watch-connections.ts`).
 *
 * @returns undefined as soon as the announced or the received length is more than `maxBytes`
 */
export async function readBody(
  { headers, body }: Pick<Request, 'headers' | 'body'>,
  maxBytes: number,
): Promise<Buffer<ArrayBuffer> | undefined> {
  return Number(headers.get('content-length') ?? 0) > maxBytes ? undefined : readCapped(body, maxBytes)
}

/**
 * The same for Node's own request, as text. A longer body is not read to its end, but the request is not destroyed, so
 * that a response can still be sent.
 */
export async function readNodeBody(req: IncomingMessage, maxBytes: number): Promise<string | undefined> {
  const body = await readCapped(req.iterator({ destroyOnReturn: false }), maxBytes)
  return body?.toString('utf8')
}
