import type { z } from 'zod'
import type { InputError } from './problem.ts'

/** How a place in the input is named. */
export type ToError = (path: PropertyKey[], detail: string) => InputError

/** By JSON pointer (RFC 6901). */
export const toPointed: ToError = (path, detail) => ({
  pointer: path.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join(''),
  detail,
})

/** What a schema found wrong, one entry for each field. */
export const toInputErrors = (error: z.ZodError, toError: ToError): InputError[] =>
  error.issues.flatMap((issue) => toErrors(issue, toError))

function toErrors(issue: z.core.$ZodIssue, toError: ToError): InputError[] {
  if (issue.code !== 'unrecognized_keys') return [toError(issue.path, issue.message)]
  // Names come from a stranger: shown short and printable.
  return issue.keys.map((key) =>
    toError([...issue.path, key.replace(/[^\x20-\x7e]/g, '?').slice(0, 60)], 'is not a field of this route'),
  )
}
