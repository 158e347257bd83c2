import type { InputError } from '../core/problem.ts'
import { searchBounds } from './search-bounds.ts'

const { minLength, maxLength, maxLimit, usualLimit } = searchBounds

/**
 * What every search takes, and the means to read more. Parameters that nobody asks for are ignored, and wrong ones are
 * collected, each named once.
 */
export function readParameters(parameters: URLSearchParams) {
  const errors: InputError[] = []
  /** The value of a parameter that may be sent once. */
  const only = (parameter: string): string | undefined => {
    const values = parameters.getAll(parameter)
    if (values.length > 1) errors.push({ parameter, detail: 'must be sent once' })
    return values[0]
  }
  const refuse = (parameter: string, detail: string): void => {
    if (!errors.some((error) => 'parameter' in error && error.parameter === parameter))
      errors.push({ parameter, detail })
  }
  return {
    errors,
    only,
    refuse,
    /** `q`, as it was sent. */
    query(): string {
      const query = only('q') ?? ''
      if ([...query.trim()].length < minLength) refuse('q', `is required, with at least ${minLength} characters`)
      else if ([...query].length > maxLength) refuse('q', `must have at most ${maxLength} characters`)
      return query
    },
    /** `limit`, which is refused when it is out of range, never bent. */
    limit(): number {
      const limit = only('limit') ?? String(usualLimit)
      if (!/^[1-9]\d?$/.test(limit) || Number(limit) > maxLimit)
        refuse('limit', `must be an integer from 1 to ${maxLimit}`)
      return Number(limit)
    },
  }
}
