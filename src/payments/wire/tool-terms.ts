import { z } from 'zod'
import type { ToolAnswer } from '../../core/tool-answer.ts'

const issued = z.looseObject({
  x402Version: z.literal(2),
  error: z.string(),
  resource: z.looseObject({ url: z.string() }),
  accepts: z.array(z.looseObject({})),
  extensions: z.record(z.string(), z.looseObject({ info: z.looseObject({}) })),
  status: z.number(),
  detail: z.string(),
  charged: z.boolean(),
  errors: z.array(z.looseObject({})).optional(),
})

/** The extensions that wallets must echo. The others are for directories, which the shop informs itself. */
const echoed = ['redelivery', 'payment-identifier']

/**
 * A 402 as the result of a tool, short because models read it. The terms are where x402 v2 puts them, as structured
 * content and as the same JSON in text, and also in `_meta["x402/error"]`, the only place where some wallets look. What
 * to do follows once, as a second text. What clients echo contains no free text, because Cloudflare's `agents` encodes
 * it with `btoa`, which only takes Latin-1.
 *
 * @param body JSON body of the 402 that HTTP would send
 * @throws ZodError when the body has another form
 */
export function toToolTerms(body: string): ToolAnswer {
  const { x402Version, error, resource, accepts, ...rest } = issued.parse(JSON.parse(body))
  const { status, detail, charged, errors } = rest
  const extensions = Object.fromEntries(
    Object.entries(rest.extensions)
      .filter(([name]) => echoed.includes(name))
      .map(([name, { info }]) => [name, { info, schema: { type: 'object' } }]),
  )
  const { url } = resource
  const structuredContent = {
    x402Version,
    error,
    resource: { url },
    accepts,
    extensions,
    status,
    charged,
    ...(errors && { errors }),
  }
  return {
    content: [
      { type: 'text', text: JSON.stringify(structuredContent) },
      { type: 'text', text: detail },
    ],
    structuredContent,
    isError: true,
    _meta: { 'x402/error': { x402Version, error, resource: { url }, accepts, extensions } },
  }
}
