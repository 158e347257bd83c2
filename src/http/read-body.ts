import type { IncomingMessage } from 'node:http'
import { readCapped } from './read-capped.ts'

/**
 * Reads a body whole. How long it may take is the server's to say (`watch-connections.ts`).
 *
 * @returns undefined as soon as it is longer than `maxBytes`, announced or sent
 */
export async function readBody(
  { headers, body }: Pick<Request, 'headers' | 'body'>,
  maxBytes: number,
): Promise<Buffer<ArrayBuffer> | undefined> {
  return Number(headers.get('content-length') ?? 0) > maxBytes ? undefined : readCapped(body, maxBytes)
}

/** The same from Node's own request, as text; what is not read of a longer one leaves room for an answer. */
export async function readNodeBody(req: IncomingMessage, maxBytes: number): Promise<string | undefined> {
  const body = await readCapped(req.iterator({ destroyOnReturn: false }), maxBytes)
  return body?.toString('utf8')
}
