import { z } from 'zod'

/** What a model does without: what it leaves out is filled in, and whoever goes beyond a length hears it, uncharged. */
const untold: ReadonlySet<string> = new Set([
  'propertyNames',
  'additionalProperties',
  'minLength',
  'maxLength',
  'minItems',
  'default',
])

const isTold = (key: string, beside: object): boolean =>
  !untold.has(key) && !(key === 'pattern' && ('format' in beside || 'description' in beside))

/** The schema of an input as models read it, which is what most of a list of tools is. Calls are checked by all of it. */
export function toBrief(schema: Readonly<Record<string, unknown>>): Record<string, unknown> {
  // Some model APIs refuse tools whose schema offers alternatives at its top.
  const { anyOf: _, ...rest } = schema
  const told: unknown = JSON.parse(JSON.stringify(rest), (_key, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).filter(([key]) => isTold(key, value)))
      : value,
  )
  return z.record(z.string(), z.unknown()).parse(told)
}
