import type { z } from 'zod'
import { Problem } from '../../src/core/problem.ts'
import { readInput } from '../../src/payments/read-input.ts'

/** The default limit for the body of a free route, in bytes. */
const usualBytes = 64 * 1024

/**
 * The JSON body of a free route; fields that the schema does not know are ignored unless it is strict.
 *
 * @throws Problem that names each wrong field
 */
export async function readJsonBody<Schema extends z.ZodObject>(
  input: Schema,
  request: Request,
  maxBodyBytes = usualBytes,
): Promise<z.output<Schema>> {
  const read = await readInput({ method: 'POST', input, maxBodyBytes }, request)
  if (read.is === 'valid') return read.value
  throw new Problem(read.kind, { errors: read.errors, detail: `Nothing was done: ${read.errors[0]?.detail ?? ''}` })
}
