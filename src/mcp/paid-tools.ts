import { Problem } from '../core/problem.ts'
import { type ToolAnswer, type ToolCall, toToolProblem } from '../core/tool-answer.ts'
import type { Offer } from '../offers/offer.ts'
import type { Tool, ToolContext } from './tool.ts'
import { toPaidTool, toSkillTool, toToolName } from './tool-shelf.ts'

interface Options extends ToolContext {
  readonly offers: readonly Offer[]
  /** The gate in front of an offer. */
  readonly sell: (offer: Offer, tool: string) => (call: ToolCall) => Promise<ToolAnswer>
}

/** They move money, and what they answer is not the same twice for the same arguments unless the payment is. */
const buying = { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true } as const

/**
 * A tool for every product, made from the same declarations as the paid routes. No output schema: what an unpaid call
 * answers is structured too, and older clients would check it against the product's schema.
 */
export function makePaidTools(options: Options): Tool[] {
  const { offers, sell, toJsonSchema } = options
  const tools = offers
    .filter(({ lane }) => lane !== 'skill')
    .map((offer): Tool => {
      const { name, title, description } = toPaidTool(offer)
      // Some model APIs refuse tools whose schema offers alternatives at its top; the gate checks them anyway.
      const { anyOf: _, ...schema } = toJsonSchema(offer.input)
      const inputSchema = offer.method === 'POST' ? schema : nothing
      return { name, title, description, inputSchema, annotations: buying, call: sell(offer, name) }
    })
  const skills = makeSkillTool(options)
  return skills ? [skills, ...tools] : tools
}

/** A product fetched by GET is the same for everybody. */
const nothing = { type: 'object', properties: {}, additionalProperties: false }

function makeSkillTool({ offers, sell, baseUrl }: Options): Tool | undefined {
  const shelved = toSkillTool(offers)
  if (!shelved) return undefined
  const { name, title, description } = shelved
  const counters = new Map(
    offers.filter(({ lane }) => lane === 'skill').map((offer) => [offer.slug, sell(offer, toToolName(offer))]),
  )
  const slugs = [...counters.keys()]
  return {
    name,
    title,
    description,
    inputSchema: {
      type: 'object',
      properties: { slug: { type: 'string', enum: slugs, description: 'Which skill' } },
      required: ['slug'],
      additionalProperties: false,
    },
    annotations: buying,
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
