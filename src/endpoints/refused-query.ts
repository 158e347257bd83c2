import type { InputError, ProblemOptions } from '../core/problem.ts'

/** The options of a problem about wrong query parameters. */
export const toRefusedQuery = (errors: InputError[]): ProblemOptions => ({
  detail: `${errors.length === 1 ? '1 parameter is' : `${errors.length} parameters are`} wrong`,
  errors,
})
