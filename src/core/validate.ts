import type { z } from 'zod'
import type { InputError } from './problem.ts'
import { toSentence } from './zod-sentence.ts'

/** One fault in a value. `detail` is the part of a sentence that follows the name of the place. */
export interface Fault {
  readonly path: readonly PropertyKey[]
  readonly detail: string
}

export type Validated<Value> =
  | { readonly is: 'valid'; readonly value: Value }
  | { readonly is: 'wrong'; readonly faults: readonly Fault[] }

interface Reading {
  /** Whether the schema is used only once. Then Zod does not compile code for it, which takes longer than one check. */
  readonly isOnce?: boolean
}

/** Validates a value from outside. Faults are described in our words, never in those of Zod. */
export function validate<Schema extends z.ZodType>(
  schema: Schema,
  given: unknown,
  { isOnce = false }: Reading = {},
): Validated<z.output<Schema>> {
  const read = schema.safeParse(given, { error: toSentence, jitless: isOnce })
  return read.success ? { is: 'valid', value: read.data } : { is: 'wrong', faults: read.error.issues.flatMap(toFaults) }
}

function toFaults({ path, message: detail, ...issue }: z.core.$ZodIssue): readonly Fault[] {
  if (issue.code === 'unrecognized_keys')
    // The names come from a stranger: they are shortened and made printable.
    return issue.keys.map((key) => ({ path: [...path, key.replace(/[^\x20-\x7e]/g, '?').slice(0, 60)], detail }))
  if (issue.code !== 'invalid_union') return [{ path, detail }]
  // If exactly one member of the union has the right type, its faults are reported, because the caller meant that one.
  const near = issue.errors.filter((faults) => !faults.some(isOfAnotherKind))
  const [meant = []] = near
  return near.length === 1
    ? meant.flatMap(toFaults).map((fault) => ({ ...fault, path: [...path, ...fault.path] }))
    : [{ path, detail }]
}

const isOfAnotherKind = ({ path, code }: z.core.$ZodIssue): boolean =>
  path.length === 0 && (code === 'invalid_type' || code === 'invalid_value')

/** The fault with its place as a JSON pointer (RFC 6901). */
export const toPointed = ({ path, detail }: Fault): InputError => ({
  pointer: path.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join(''),
  detail,
})

/** The fault with its place as the name of a query parameter. */
export const toParameter = ({ path, detail }: Fault): InputError => ({ parameter: path.join('.'), detail })
