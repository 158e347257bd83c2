import type { APIContext } from 'astro'
import type { InputError } from '../problem.ts'

/** The answer to a search that was asked for wrongly, readable from any origin. */
export const refuseParameters = ({ services }: APIContext['locals'], errors: readonly InputError[]): Response =>
  services.problem('invalid-input', {
    detail: `${errors.length === 1 ? '1 parameter is' : `${errors.length} parameters are`} wrong`,
    errors,
    headers: { 'access-control-allow-origin': '*' },
  })
