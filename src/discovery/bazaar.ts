import { z } from 'zod'
import { type JsonSchema, toJsonSchema } from '../core/json-schema.ts'
import { type Offer, toPathParameters } from '../offers/offer.ts'

/** The `bazaar` extension of a 402: how to call the product, as facilitators index it. */
export interface Bazaar {
  readonly info: { input: Record<string, unknown>; output: Record<string, unknown> }
  /** Validates `info`; an index drops an entry whose info does not. */
  readonly schema: JsonSchema
}

const text: JsonSchema = { type: 'string' }
const constant = (value: string): JsonSchema => ({ type: 'string', const: value })

const strings = (names: readonly string[]): JsonSchema => ({
  type: 'object',
  properties: Object.fromEntries(names.map((name) => [name, text])),
  required: [...names],
})

const outputType = (mimeType: string): string => {
  if (mimeType === 'application/json') return 'json'
  return mimeType.startsWith('text/') ? 'text' : 'binary'
}

/** Of an excerpt in a header, in characters. */
const maxExampleChars = 160

/** The beginning of a text; of a letter that is two code units it takes both or none. */
const toBeginning = (text: string): string => text.slice(0, maxExampleChars).replace(/[\ud800-\udbff]$/, '')

/** How the product begins: a text as it starts, of JSON the members that fit, and of all else the name of the file. */
function toOutputExample({ mimeType, sample, fileName }: Offer): string | Record<string, unknown> {
  const type = outputType(mimeType)
  if (type !== 'json') return type === 'text' ? toBeginning(sample) : fileName
  const whole = z.record(z.string(), z.unknown()).parse(JSON.parse(sample))
  const members = Object.entries(whole)
  const fits = (count: number): boolean =>
    JSON.stringify(Object.fromEntries(members.slice(0, count))).length <= maxExampleChars
  const count = members.findIndex((_, at) => !fits(at + 1))
  return Object.fromEntries(count === -1 ? members : members.slice(0, count))
}

/**
 * Describes a product to the indexes that facilitators keep. Small: it travels in a header. A product of a family names
 * no `routeTemplate`: indexes take it for the address of an entry, and all skills would be one.
 */
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
    // Explorers refuse a product whose input has no schema at all, so one without parameters says that it has none.
    ...(!isPost && { queryParams: schema }),
  }
  return describe(offer, input, properties)
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
  const example = toOutputExample(offer)
  return {
    info: { input, output: { type: outputType(offer.mimeType), format: offer.mimeType, example } },
    schema: {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      properties: {
        input: { type: 'object', properties, required: Object.keys(input), additionalProperties: false },
        output: {
          type: 'object',
          properties: { type: text, format: text, example: typeof example === 'string' ? text : { type: 'object' } },
          required: ['type', 'format'],
        },
      },
      required: ['input'],
    },
  }
}
