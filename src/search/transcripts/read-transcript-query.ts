import type { InputError } from '../../core/problem.ts'
import { readParameters } from '../read-parameters.ts'

/** A transcript search that was asked for correctly. */
export interface TranscriptQuery {
  /** As it was sent. */
  readonly query: string
  readonly limit: number
  /** The slug of the only post to search in. */
  readonly post: string | undefined
}

type Read = { is: 'query'; query: TranscriptQuery } | { is: 'wrong'; errors: readonly InputError[] }

/** Reads the parameters of `/api/transcripts/search.json`. A post that does not exist is no error: it has no hits. */
export function readTranscriptQuery(sent: URLSearchParams): Read {
  const { errors, only, ...parameters } = readParameters(sent)
  const query = { query: parameters.query(), limit: parameters.limit(), post: only('post') }
  return errors.length > 0 ? { is: 'wrong', errors } : { is: 'query', query }
}
