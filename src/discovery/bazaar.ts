import { type JsonSchema, toJsonSchema } from '../core/json-schema.ts'
import { type Offer, toPathParameters } from '../offers/offer.ts'

/** The `bazaar` extension of a 402: how to call the product, as facilitators index it. */
export interface Bazaar {
  readonly info: { input: Record<string, unknown>; output: Record<string, unknown> }
  /** Validates `info`; an index drops an entry whose info does not. */
  readonly schema: JsonSchema
  /** One catalog entry for all sibling products. */
  readonly routeTemplate?: string
}

const constant = (value: string): JsonSchema => ({ type: 'string', const: value })

const strings = (names: readonly string[]): JsonSchema => ({
  type: 'object',
  properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
  required: [...names],
})

const outputType = (mimeType: string): string => {
  if (mimeType === 'application/json') return 'json'
  return mimeType.startsWith('text/') ? 'text' : 'binary'
}

/** Describes a product to the indexes that facilitators keep. Small: it travels in a header. */
export function toBazaar(offer: Offer): Bazaar {
  const { method, family, example } = offer
  const isPost = method === 'POST'
  const pathParams = toPathParameters(offer)
  const schema = toJsonSchema(offer.input)
  const hasQuery = !isPost && Object.keys(schema.properties ?? {}).length > 0
  const input = {
    type: 'http',
    method,
    ...(family && { pathParams }),
    ...(isPost && { bodyType: 'json', body: example }),
    ...(hasQuery && { queryParams: example }),
  }
  const properties: Record<string, JsonSchema> = {
    type: constant('http'),
    method: { type: 'string', enum: [method] },
    ...(family && { pathParams: strings(Object.keys(pathParams)) }),
    ...(isPost && { bodyType: constant('json'), body: schema }),
    ...(hasQuery && { queryParams: schema }),
  }
  return { ...describe(offer, input, properties), ...(family && { routeTemplate: family.routeTemplate }) }
}

/** The same for a product sold through a tool: its schema is the carrier of its input. */
export function toToolBazaar(offer: Offer, tool: string): Bazaar {
  const isSkill = offer.lane === 'skill'
  const given = offer.method === 'POST' ? toJsonSchema(offer.input) : { type: 'object', properties: {} }
  const inputSchema = isSkill ? strings(['slug']) : given
  const input = {
    type: 'mcp',
    toolName: tool,
    description: offer.excerpt,
    transport: 'streamable-http',
    inputSchema,
    example: isSkill ? { slug: offer.slug } : offer.example,
  }
  const text: JsonSchema = { type: 'string' }
  const properties: Record<string, JsonSchema> = {
    type: constant('mcp'),
    toolName: text,
    description: text,
    transport: { type: 'string', enum: ['streamable-http'] },
    inputSchema: { type: 'object' },
    example: { type: 'object' },
  }
  return describe(offer, input, properties)
}

/** What is sent and what comes back, with the schema that both keep to. */
function describe(offer: Offer, input: Record<string, unknown>, properties: Record<string, JsonSchema>): Bazaar {
  return {
    info: { input, output: { type: outputType(offer.mimeType), format: offer.mimeType } },
    schema: {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      properties: {
        input: { type: 'object', properties, required: Object.keys(input), additionalProperties: false },
        output: strings(['type', 'format']),
      },
      required: ['input'],
    },
  }
}
