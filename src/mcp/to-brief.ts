import { z } from 'zod'

/**
 * Schema keywords that models do not need: omitted values get defaults, and a call that breaks a limit is told so,
 * uncharged.
 */
const untold: ReadonlySet<string> = new Set([
  'propertyNames',
  'additionalProperties',
  'minLength',
  'maxLength',
  'minItems',
  'default',
  'pattern',
])

const formSchema = z.object({ type: z.literal('string') })

/** Merges alternatives that are all strings into one string: its description says what it may contain. */
function withoutForms({ anyOf, ...rest }: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  if (anyOf === undefined) return rest
  return z.array(formSchema).safeParse(anyOf).success ? { ...rest, type: 'string' } : { ...rest, anyOf }
}

/**
 * Shortens the schema of an input for models, because schemas are most of a list of tools. Calls are validated by the
 * complete schema.
 */
export function toBrief(schema: Readonly<Record<string, unknown>>): Record<string, unknown> {
  // Some model APIs refuse tools whose schema offers alternatives at its top.
  const { anyOf: _, ...rest } = schema
  const told: unknown = JSON.parse(JSON.stringify(rest), (key, value: unknown) =>
    // The keys inside `properties` are field names, not keywords.
    key !== 'properties' && typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(withoutForms({ ...value })).filter(([key]) => !untold.has(key)))
      : value,
  )
  return z.record(z.string(), z.unknown()).parse(told)
}
