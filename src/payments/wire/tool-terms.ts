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

/** What wallets echo. The rest of the extensions is for directories, which the shop tells itself. */
const echoed = ['redelivery', 'payment-identifier']

/**
 * A 402 as the result of a tool, brief because models read it. The terms stand where x402 v2 puts them, as structure and
 * as the same JSON, and once more as `_meta["x402/error"]`, where some wallets look and nowhere else; what to do is said
 * once, behind them. Nothing that is echoed is in words: Cloudflare's `agents` sends it through `btoa`, which knows
 * Latin-1 alone.
 *
 * @param body of the 402 that HTTP would answer, in JSON
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
