import type { InputError } from '../core/problem.ts'
import { readParameters } from './read-parameters.ts'

/** A search that was asked for correctly. */
export interface SearchQuery {
  /** As it was sent. */
  readonly query: string
  readonly limit: number
  readonly collections: ReadonlySet<'posts' | 'pages'>
}

type Read = { is: 'query'; query: SearchQuery } | { is: 'wrong'; errors: readonly InputError[] }

/** Reads the parameters of `/api/search.json`. What is out of range is refused, never bent; others are ignored. */
export function readSearchQuery(sent: URLSearchParams): Read {
  const { errors, only, refuse, ...parameters } = readParameters(sent)
  const [query, limit] = [parameters.query(), parameters.limit()]
  const collections = new Set<'posts' | 'pages'>()
  for (const name of (only('collections') ?? 'posts,pages').split(','))
    if (name === 'posts' || name === 'pages') collections.add(name)
    else refuse('collections', 'must be posts, pages or posts,pages')
  return errors.length > 0 ? { is: 'wrong', errors } : { is: 'query', query: { query, limit, collections } }
}
