import type { z } from 'zod'
import { ProviderFailed } from './provider-failed.ts'

/**
 * Reads a provider's JSON and checks it against a schema.
 *
 * @throws ProviderFailed when it does not fit; the parser's message is left out, because it quotes the text
 */
export function readProviderJson<Schema extends z.ZodType>(bytes: Uint8Array, schema: Schema): z.output<Schema> {
  let json: unknown
  try {
    json = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    throw new ProviderFailed('unusable', 'sent what is not JSON')
  }
  const read = schema.safeParse(json)
  if (!read.success) throw new ProviderFailed('unusable', 'sent JSON of another shape')
  return read.data
}
