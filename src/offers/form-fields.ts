import { type JsonSchema, toJsonSchema } from '../core/json-schema.ts'
import type { Offer } from './offer.ts'

/** One field of a form that people fill in. */
export interface FormField {
  readonly name: string
  readonly label: string
  readonly hint: string
  /** `list` has a value on each line; `switch` is on or off. */
  readonly kind: 'text' | 'long' | 'url' | 'number' | 'list' | 'choice' | 'switch'
  readonly isRequired: boolean
  /** The initial value: from the example, otherwise the default; empty when there is neither. */
  readonly value: string
  readonly options: readonly string[]
  readonly min?: number | undefined
  readonly max?: number | undefined
  readonly step?: 1 | 'any'
}

const isSchema = (value: unknown): value is JsonSchema => typeof value === 'object' && value !== null
/** Texts that may have more characters than this get a field of several lines. */
const longText = 200

function kindOf({
  type,
  enum: options,
  items,
  format,
  maxLength = Number.POSITIVE_INFINITY,
}: JsonSchema): FormField['kind'] | undefined {
  if (options) return options.length > 1 ? 'choice' : undefined
  if (type === 'array') return isSchema(items) && items.type === 'string' ? 'list' : undefined
  if (type === 'boolean') return 'switch'
  if (type === 'number' || type === 'integer') return 'number'
  if (type !== 'string') return undefined
  if (format === 'uri') return 'url'
  return maxLength > longText ? 'long' : 'text'
}

/** `siteUrl` as people write it: `Site URL`. */
function toLabel(name: string): string {
  const words = name
    .replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
    .replace(/\b(?:url|id)(s?)\b/g, toCapitals)
  return words.charAt(0).toUpperCase() + words.slice(1)
}

const toCapitals = (word: string): string => word.replace(/url|id/, (short) => short.toUpperCase())

const toText = (value: unknown): string => (Array.isArray(value) ? value.join('\n') : String(value ?? ''))

/** The required field names. Of the alternatives in `anyOf`, the first counts that people can fill in. */
function neededOf({ required = [], anyOf = [] }: JsonSchema, fillable: ReadonlySet<string>): readonly string[] {
  const forms = anyOf.filter(isSchema).map((form) => form.required ?? [])
  return [...required, ...(forms.find((names) => names.every((name) => fillable.has(name))) ?? [])]
}

/**
 * The fields of a product's input that people can fill in, with the values of its example. Lists of objects are left
 * out, and so are fields with only one possible value, which are switches for programs.
 */
export function toFormFields({ input, example }: Pick<Offer, 'input' | 'example'>): FormField[] {
  const schema = toJsonSchema(input)
  const given = new Map(Object.entries(example))
  const found = Object.entries(schema.properties ?? {}).flatMap(([name, property]) => {
    const kind = isSchema(property) ? kindOf(property) : undefined
    return isSchema(property) && kind ? [{ name, property, kind }] : []
  })
  const needed = neededOf(schema, new Set(found.map(({ name }) => name)))
  return found.map(({ name, property, kind }) => ({
    name,
    label: property.title ?? toLabel(name),
    hint: (property.description ?? '') + (kind === 'list' ? '; one on each line' : ''),
    kind,
    isRequired: needed.includes(name),
    value: toText(given.get(name) ?? property.default),
    options: (property.enum ?? []).map(String),
    ...(kind === 'number' && {
      min: property.minimum,
      max: property.maximum,
      step: property.type === 'integer' ? 1 : 'any',
    }),
  }))
}
