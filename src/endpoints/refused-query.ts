import type { InputError, ProblemOptions } from '../core/problem.ts'

/** What is said about parameters that are wrong. */
export const toRefusedQuery = (errors: InputError[]): ProblemOptions => ({
  detail: `${errors.length === 1 ? '1 parameter is' : `${errors.length} parameters are`} wrong`,
  errors,
})
