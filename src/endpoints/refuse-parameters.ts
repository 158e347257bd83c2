import type { APIContext } from 'astro'
import type { InputError } from '../core/problem.ts'

/** The answer to a search that was asked for wrongly. */
export const refuseParameters = ({ services }: APIContext['locals'], errors: readonly InputError[]): Response =>
  services.problem('invalid-input', {
    detail: `${errors.length === 1 ? '1 parameter is' : `${errors.length} parameters are`} wrong`,
    errors,
  })
