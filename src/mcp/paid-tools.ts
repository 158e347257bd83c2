import { z } from 'zod'
import { toUsdNumber } from '../core/money.ts'
import { Problem } from '../core/problem.ts'
import { type ToolAnswer, type ToolCall, toToolProblem } from '../core/tool-answer.ts'
import type { Offer } from '../offers/offer.ts'
import type { Requirements } from '../payments/wire/payment.ts'
import type { Tool, ToolContext } from './tool.ts'
import { toPaidTool, toSkillTool, toToolName } from './tool-shelf.ts'

interface Options extends ToolContext {
  readonly offers: readonly Offer[]
  /** The gate in front of an offer. */
  readonly sell: (offer: Offer, tool: string) => (call: ToolCall) => Promise<ToolAnswer>
  /** What the offer is advertised for. */
  readonly terms: (offer: Offer) => Requirements
}

/** They move money and destroy nothing; what else there is to say of them is what hosts assume. */
const buying = { destructiveHint: false } as const

/**
 * What wallets read of a listed tool: `x402` by Apify's mcpc, which pays with the first call, and the other two by
 * Cloudflare's agents.
 */
const toMeta = (terms: Requirements) => ({
  x402: { paymentRequired: true, ...terms },
  'agents-x402/paymentRequired': true,
  'agents-x402/priceUSD': toUsdNumber(BigInt(terms.amount)),
})

/**
 * A tool for every product, made from the same declarations as the paid routes. No output schema: what an unpaid call
 * answers is structured too, and older clients would check it against the product's schema.
 */
export function makePaidTools(options: Options): Tool[] {
  const { offers, sell, terms, toJsonSchema } = options
  const tools = offers
    .filter(({ lane }) => lane !== 'skill')
    .map((offer): Tool => {
      const { name, title, description } = toPaidTool(offer)
      const inputSchema = offer.method === 'POST' ? toBrief(toJsonSchema(offer.input)) : nothing
      const meta = toMeta(terms(offer))
      return { name, title, description, inputSchema, annotations: buying, meta, call: sell(offer, name) }
    })
  const skills = makeSkillTool(options)
  return skills ? [skills, ...tools] : tools
}

/** A product fetched by GET is the same for everybody. */
const nothing = { type: 'object', properties: {} }

/** What says to a model nothing that its neighbours do not say. The gate checks all of it anyway. */
const isTold = (key: string, value: unknown, beside: object): boolean =>
  !(key === 'pattern' && 'format' in beside) &&
  key !== 'propertyNames' &&
  key !== 'additionalProperties' &&
  !(key === 'minLength' && value === 1)

/** The schema of a product's input as models read it, which is what most of a list of tools is. */
function toBrief(schema: Readonly<Record<string, unknown>>): Record<string, unknown> {
  // Some model APIs refuse tools whose schema offers alternatives at its top.
  const { anyOf: _, ...rest } = schema
  const told: unknown = JSON.parse(JSON.stringify(rest), (_key, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).filter(([key, inner]) => isTold(key, inner, value)))
      : value,
  )
  return z.record(z.string(), z.unknown()).parse(told)
}

function makeSkillTool({ offers, sell, terms, baseUrl }: Options): Tool | undefined {
  const shelved = toSkillTool(offers)
  if (!shelved) return undefined
  const { name, title, description } = shelved
  const counters = new Map(
    offers.filter(({ lane }) => lane === 'skill').map((offer) => [offer.slug, sell(offer, toToolName(offer))]),
  )
  const slugs = [...counters.keys()]
  const [first] = offers.filter(({ lane }) => lane === 'skill')
  return {
    name,
    title,
    description,
    inputSchema: {
      type: 'object',
      properties: { slug: { type: 'string', enum: slugs } },
      required: ['slug'],
    },
    annotations: buying,
    ...(first && { meta: toMeta(terms(first)) }),
    async call(call) {
      const slug = readSlug(call.arguments)
      const counter = slug === undefined ? undefined : counters.get(slug)
      if (counter) return counter({ ...call, arguments: {} })
      const errors = [{ pointer: '/slug', detail: `must be one of ${slugs.join(', ')}` }]
      const problem = new Problem('not-found', { charged: false, errors, detail: 'There is no such skill' })
      return toToolProblem(problem, { baseUrl, requestId: call.requestId })
    },
  }
}

function readSlug(given: unknown): string | undefined {
  if (typeof given !== 'object' || given === null || !('slug' in given)) return undefined
  return typeof given.slug === 'string' ? given.slug : undefined
}
