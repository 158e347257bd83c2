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

/** The length of an example in characters, limited because it travels in a header. */
const maxExampleChars = 160

/** The beginning of a text, without splitting a surrogate pair. */
const toBeginning = (text: string): string => text.slice(0, maxExampleChars).replace(/[\ud800-\udbff]$/, '')

/** An example of the output: the beginning of a text, the members of a JSON object that fit, or else the file name. */
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
 * Describes a product for the indexes of facilitators. It is small, because it travels in a header. Products of a
 * family have no `routeTemplate`, because indexes use it as the address of an entry, and all skills would become one
 * entry.
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
    // Explorers refuse a product without an input schema, so a product without parameters has an empty one.
    ...(!isPost && { queryParams: schema }),
  }
  return describe(offer, input, properties)
}

/** Describes a product that is sold through an MCP tool; `inputSchema` is the schema of the tool's arguments. */
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

/** The input and the output of a product, with a schema that validates both. */
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
