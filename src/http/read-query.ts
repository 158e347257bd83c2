import type { z } from 'zod'
import type { InputError } from '../core/problem.ts'
import { toParameter, validate } from '../core/validate.ts'

type Query<Value> = { is: 'valid'; value: Value } | { is: 'refused'; errors: InputError[] }

/** Reads the query parameters that a schema knows. Each may occur once at most; unknown ones are ignored. */
export function readQuery<Schema extends z.ZodObject>(schema: Schema, sent: URLSearchParams): Query<z.output<Schema>> {
  const known = Object.keys(schema.shape)
  const repeated = known.filter((name) => sent.getAll(name).length > 1)
  if (repeated.length > 0)
    return { is: 'refused', errors: repeated.map((parameter) => ({ parameter, detail: 'is given more than once' })) }
  const given = Object.fromEntries(known.flatMap((name) => (sent.has(name) ? [[name, sent.get(name)]] : [])))
  const read = validate(schema, given)
  return read.is === 'valid' ? read : { is: 'refused', errors: read.faults.map(toParameter) }
}
