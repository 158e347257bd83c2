import { type JsonSchema, toJsonSchema } from '../core/json-schema.ts'
import type { Offer } from './offer.ts'

/** One field of an input, in words. */
export interface InputField {
  readonly name: string
  /** Type and limits: `integer 1000..50000, default 20000`. */
  readonly shape: string
  readonly description: string
}

const isSchema = (value: unknown): value is JsonSchema => typeof value === 'object' && value !== null

const range = (low: number | undefined, high: number | undefined): string => {
  if (low === undefined) return high === undefined ? '' : ` up to ${high}`
  return high === undefined ? ` of at least ${low}` : ` ${low}..${high}`
}

function typeInWords(schema: JsonSchema): string {
  if (schema.enum) return schema.enum.join(' | ')
  const { items } = schema
  if (schema.type === 'array' && isSchema(items))
    return `array of${range(schema.minItems, schema.maxItems)} ${typeInWords(items)}s`
  if (schema.format === 'uri') return 'https URL'
  if (schema.type !== 'string') return `${schema.type}${range(schema.minimum, schema.maximum)}`
  return schema.maxLength === undefined
    ? 'string'
    : `string of${range(schema.minLength ?? 0, schema.maxLength)} characters`
}

function shapeInWords(schema: JsonSchema, isRequired: boolean): string {
  const fallback = schema.default === undefined ? 'optional' : `default ${schema.default}`
  return `${typeInWords(schema)}, ${isRequired ? 'required' : fallback}`
}

/** The fields of a product's body or query, in the order in which they are declared. */
export function toInputFields({ input }: Pick<Offer, 'input'>): InputField[] {
  const { properties = {}, required = [] } = toJsonSchema(input)
  return Object.entries(properties)
    .filter((field): field is [string, JsonSchema] => isSchema(field[1]))
    .map(([name, schema]) => ({
      name,
      shape: shapeInWords(schema, required.includes(name)),
      description: schema.description ?? '',
    }))
}

/** The catalog's `bodyShape`, from field name to type in words. Undefined for products without a body. */
export const toBodyShape = (offer: Offer): Record<string, string> | undefined =>
  offer.method === 'POST' ? Object.fromEntries(toInputFields(offer).map(({ name, shape }) => [name, shape])) : undefined
