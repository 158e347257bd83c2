import type { z } from 'zod'
import type { InputError } from './problem.ts'
import { toSentence } from './zod-sentence.ts'

/** What is wrong in one place of a value; `detail` goes on after the place's name. */
export interface Fault {
  readonly path: readonly PropertyKey[]
  readonly detail: string
}

export type Validated<Value> =
  | { readonly is: 'valid'; readonly value: Value }
  | { readonly is: 'wrong'; readonly faults: readonly Fault[] }

interface Reading {
  /** Whether nothing is read by the schema again: then no code is compiled for it, which takes longer than one look. */
  readonly isOnce?: boolean
}

/** Reads a value from outside. Every fault is told in our words, never in those of the library that found it. */
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
    // Names come from a stranger: shown short and printable.
    return issue.keys.map((key) => ({ path: [...path, key.replace(/[^\x20-\x7e]/g, '?').slice(0, 60)], detail }))
  if (issue.code !== 'invalid_union') return [{ path, detail }]
  // Of the forms that were possible, the only one whose kind is right is the one that was meant.
  const near = issue.errors.filter((faults) => !faults.some(isOfAnotherKind))
  const [meant = []] = near
  return near.length === 1
    ? meant.flatMap(toFaults).map((fault) => ({ ...fault, path: [...path, ...fault.path] }))
    : [{ path, detail }]
}

const isOfAnotherKind = ({ path, code }: z.core.$ZodIssue): boolean =>
  path.length === 0 && (code === 'invalid_type' || code === 'invalid_value')

/** Names the place by a JSON pointer (RFC 6901). */
export const toPointed = ({ path, detail }: Fault): InputError => ({
  pointer: path.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join(''),
  detail,
})

/** Names the place by the name of a query parameter. */
export const toParameter = ({ path, detail }: Fault): InputError => ({ parameter: path.join('.'), detail })
