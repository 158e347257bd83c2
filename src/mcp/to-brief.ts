import { z } from 'zod'

/** What a model does without: what it leaves out is filled in, and whoever goes beyond a length hears it, uncharged. */
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

/** Texts of several forms are a text: what it may say is in its description. */
function withoutForms({ anyOf, ...rest }: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  if (anyOf === undefined) return rest
  return z.array(formSchema).safeParse(anyOf).success ? { ...rest, type: 'string' } : { ...rest, anyOf }
}

/** The schema of an input as models read it, which is what most of a list of tools is. Calls are checked by all of it. */
export function toBrief(schema: Readonly<Record<string, unknown>>): Record<string, unknown> {
  // Some model APIs refuse tools whose schema offers alternatives at its top.
  const { anyOf: _, ...rest } = schema
  const told: unknown = JSON.parse(JSON.stringify(rest), (key, value: unknown) =>
    // What lies in `properties` are names of an input, whatever they are.
    key !== 'properties' && typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(withoutForms({ ...value })).filter(([key]) => !untold.has(key)))
      : value,
  )
  return z.record(z.string(), z.unknown()).parse(told)
}
