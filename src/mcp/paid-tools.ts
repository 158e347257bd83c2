import { toUsdNumber } from '../core/money.ts'
import { Problem } from '../core/problem.ts'
import { type ToolAnswer, type ToolCall, toToolProblem } from '../core/tool-answer.ts'
import type { Offer } from '../offers/offer.ts'
import type { Requirements } from '../payments/wire/payment.ts'
import { toBrief } from './to-brief.ts'
import type { Tool, ToolContext } from './tool.ts'
import { toPaidTool, toSkillTool, toToolName } from './tool-shelf.ts'

interface Options extends ToolContext {
  readonly offers: readonly Offer[]
  /** The payment gate of an offer. */
  readonly sell: (offer: Offer, tool: string) => (call: ToolCall) => Promise<ToolAnswer>
  /** The payment terms that are advertised for an offer. */
  readonly terms: (offer: Offer) => Requirements
}

/** Paid tools move money but destroy nothing. For all other hints, the defaults of hosts are right. */
const buying = { destructiveHint: false } as const

/**
 * What wallets read in the list of tools: `x402` is read by Apify's mcpc, which pays with the first call; the other two
 * by Cloudflare's agents.
 */
const toMeta = (terms: Requirements) => ({
  x402: { paymentRequired: true, ...terms },
  'agents-x402/paymentRequired': true,
  'agents-x402/priceUSD': toUsdNumber(BigInt(terms.amount)),
})

/**
 * Makes a tool for every product, from the same declarations as the paid routes; one tool sells all skills. There is no
 * output schema, because the result of an unpaid call is structured, too, and older clients would validate it against
 * the product's schema.
 */
export function makePaidTools(options: Options): Tool[] {
  const { offers, sell, terms, toJsonSchema } = options
  const tools = offers
    .filter(({ lane }) => lane !== 'skill')
    .map((offer): Tool => {
      const { name, title, description } = toPaidTool(offer)
      const inputSchema = toBrief(toJsonSchema(offer.inspect ? offer.input.omit({ inspect: true }) : offer.input))
      const meta = toMeta(terms(offer))
      return { name, title, description, inputSchema, annotations: buying, meta, call: sell(offer, name) }
    })
  const skills = makeSkillTool(options)
  return skills ? [skills, ...tools] : tools
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
