import type { IncomingMessage } from 'node:http'

const maxBytes = 32 * 1024

/** The fields of a submitted form; of one that is too long to be ours, none. */
export async function readForm(req: IncomingMessage): Promise<URLSearchParams> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of req) {
    const bytes = Buffer.from(chunk)
    size += bytes.length
    if (size <= maxBytes) chunks.push(bytes)
  }
  return new URLSearchParams(size > maxBytes ? '' : Buffer.concat(chunks).toString('utf8'))
}
