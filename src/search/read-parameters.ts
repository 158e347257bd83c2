import type { InputError } from '../problem.ts'
import { searchBounds } from '../search-bounds.ts'

const { minLength, maxLength, maxLimit, usualLimit } = searchBounds

/** What every search takes, and the means to read more. Wrong parameters are collected, each named once. */
export interface Parameters {
  readonly errors: readonly InputError[]
  /** The value of a parameter that may be sent once. */
  only(parameter: string): string | undefined
  refuse(parameter: string, detail: string): void
  /** `q`, as it was sent. */
  query(): string
  /** `limit`, which is refused when it is out of range, never bent. */
  limit(): number
}

/** Reads the parameters of a search; those nobody asks for are ignored. */
export function readParameters(parameters: URLSearchParams): Parameters {
  const errors: InputError[] = []
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
    query() {
      const query = only('q') ?? ''
      if ([...query.trim()].length < minLength) refuse('q', `is required, with at least ${minLength} characters`)
      else if ([...query].length > maxLength) refuse('q', `must have at most ${maxLength} characters`)
      return query
    },
    limit() {
      const limit = only('limit') ?? String(usualLimit)
      if (!/^[1-9]\d?$/.test(limit) || Number(limit) > maxLimit)
        refuse('limit', `must be an integer from 1 to ${maxLimit}`)
      return Number(limit)
    },
  }
}
