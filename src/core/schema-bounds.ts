import { z } from 'zod'

/** How large or how long a value may be. */
export interface Bounds {
  readonly min?: number | bigint | undefined
  readonly max?: number | bigint | undefined
  /** Whether the bound itself is out of range (exclusive). */
  readonly isMinOpen?: boolean
  readonly isMaxOpen?: boolean
  readonly isWhole?: boolean
  /** The unit that is counted; undefined for a number. */
  readonly unit?: string | undefined
}

/** A cache, because one request may be wrong in thousands of places that have the same schema. */
const known = new WeakMap<z.core.$ZodType, Bounds>()

/** The bounds that a schema sets for numbers, texts and lists; empty for other types. */
export function toBounds(schema: z.core.$ZodType | undefined): Bounds {
  if (!schema) return {}
  const bounds = known.get(schema) ?? readBounds(schema)
  known.set(schema, bounds)
  return bounds
}

function readBounds(schema: z.core.$ZodType): Bounds {
  const json = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
  switch (json.type) {
    case 'string':
      return { unit: 'character', min: json.minLength, max: json.maxLength }
    case 'array':
      return { unit: 'item', min: json.minItems, max: json.maxItems }
    case 'integer':
    case 'number':
      return {
        isWhole: json.type === 'integer',
        min: toReal(json.minimum) ?? toReal(json.exclusiveMinimum),
        max: toReal(json.maximum) ?? toReal(json.exclusiveMaximum),
        isMinOpen: json.exclusiveMinimum !== undefined,
        isMaxOpen: json.exclusiveMaximum !== undefined,
      }
    default:
      return {}
  }
}

/** Leaves out the safe-integer bounds that Zod adds to every integer, which say nothing about the value. */
export const toReal = (bound: unknown): number | bigint | undefined =>
  (typeof bound === 'number' || typeof bound === 'bigint') && Math.abs(Number(bound)) < Number.MAX_SAFE_INTEGER
    ? bound
    : undefined

/** @example toNumbers({ min: 1, max: 20, isWhole: true }) // 'a whole number from 1 to 20' */
export function toNumbers({ min, max, isMinOpen, isMaxOpen, isWhole }: Bounds): string {
  const kind = isWhole ? 'a whole number' : 'a number'
  if (min !== undefined && max !== undefined && !isMinOpen && !isMaxOpen) return `${kind} from ${min} to ${max}`
  const limits = [
    ...(min === undefined ? [] : [`${isMinOpen ? 'more than' : 'at least'} ${min}`]),
    ...(max === undefined ? [] : [`${isMaxOpen ? 'less than' : 'at most'} ${max}`]),
  ]
  return limits.length === 0 ? kind : `${kind} of ${limits.join(' and ')}`
}

/** @example toSize({ min: 3, max: 60, unit: 'character' }) // '3 to 60 characters'; empty without bounds */
export function toSize({ min, max, unit = 'item' }: Bounds): string {
  const least = min === 0 ? undefined : min
  const amount =
    least === undefined
      ? `at most ${max}`
      : max === undefined
        ? `at least ${min}`
        : min === max
          ? `${min}`
          : `${min} to ${max}`
  const units = unit === 'entry' ? 'entries' : `${unit}s`
  return least === undefined && max === undefined ? '' : `${amount} ${Number(max ?? min) === 1 ? unit : units}`
}
