import type { InputError } from '../problem.ts'

/** A search that was asked for correctly. */
export interface SearchQuery {
  /** As it was sent. */
  readonly query: string
  readonly limit: number
  readonly collections: ReadonlySet<'posts' | 'pages'>
}

type Read = { is: 'query'; query: SearchQuery } | { is: 'wrong'; errors: readonly InputError[] }

const [minLength, maxLength, maxLimit, usualLimit] = [2, 256, 50, 10]

/** Reads the parameters of `/api/search.json`. What is out of range is refused, never bent; others are ignored. */
export function readSearchQuery(parameters: URLSearchParams): Read {
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

  const query = only('q') ?? ''
  if ([...query.trim()].length < minLength) refuse('q', `is required, with at least ${minLength} characters`)
  else if ([...query].length > maxLength) refuse('q', `must have at most ${maxLength} characters`)

  const limit = only('limit') ?? String(usualLimit)
  if (!/^[1-9]\d?$/.test(limit) || Number(limit) > maxLimit) refuse('limit', `must be an integer from 1 to ${maxLimit}`)

  const collections = new Set<'posts' | 'pages'>()
  for (const name of (only('collections') ?? 'posts,pages').split(','))
    if (name === 'posts' || name === 'pages') collections.add(name)
    else refuse('collections', 'must be posts, pages or posts,pages')

  return errors.length > 0
    ? { is: 'wrong', errors }
    : { is: 'query', query: { query, limit: Number(limit), collections } }
}
