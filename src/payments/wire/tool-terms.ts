import { z } from 'zod'
import type { ToolAnswer } from '../../core/tool-answer.ts'

const issued = z.looseObject({
  x402Version: z.literal(2),
  error: z.string(),
  resource: z.looseObject({ url: z.string(), mimeType: z.string() }),
  accepts: z.array(z.looseObject({})),
  extensions: z.record(z.string(), z.looseObject({ info: z.looseObject({}) })),
  status: z.number(),
  detail: z.string(),
  charged: z.boolean(),
  errors: z.array(z.looseObject({})).optional(),
})

/** What wallets echo that a model may see. The rest of the extensions is for directories. */
const shown = ['redelivery', 'payment-identifier']

const plain: Readonly<Record<string, string>> = {
  '‘': "'",
  '’': "'",
  '“': '"',
  '”': '"',
  '–': '-',
  '—': '-',
  '…': '...',
}

/** One byte a character: the wallet of Cloudflare's `agents` echoes terms through `btoa`, which fails on any other. */
const toLatin1 = (text: string): string => text.replace(/[^\0-\xff]/g, (character) => plain[character] ?? '?')

const inLatin1 = (terms: object): unknown =>
  JSON.parse(JSON.stringify(terms), (_, value: unknown) => (typeof value === 'string' ? toLatin1(value) : value))

/**
 * A 402 as the result of a tool. Terms stand where x402 v2 puts them, brief because models read them, and once more,
 * whole, as `_meta["x402/error"]`: only programs look there, and some look nowhere else.
 *
 * @param body of the 402 that HTTP would answer, in JSON
 */
export function toToolTerms(body: string): ToolAnswer {
  const { x402Version, error, resource, accepts, extensions, ...problem } = issued.parse(JSON.parse(body))
  const { status, detail, charged, errors } = problem
  const { url, mimeType } = resource
  const structuredContent = {
    x402Version,
    error,
    resource: { url, mimeType },
    accepts,
    extensions: Object.fromEntries(
      Object.entries(extensions)
        .filter(([name]) => shown.includes(name))
        .map(([name, { info }]) => [name, { info, schema: { type: 'object' } }]),
    ),
    status,
    detail,
    charged,
    ...(errors && { errors }),
  }
  const terms = { x402Version, error, resource, accepts, extensions }
  return {
    content: [{ type: 'text', text: JSON.stringify(structuredContent) }],
    structuredContent,
    isError: true,
    _meta: { 'x402/error': inLatin1(terms) },
  }
}
