import { Problem, type ProblemOptions } from '../core/problem.ts'
import type { ProviderFailed } from './provider-failed.ts'

/**
 * What a buyer may know of a provider's failure: whether to send something else, the same again, or nothing for a while.
 *
 * @param refused what the service does not do, and what is to be sent instead
 */
export function toProviderProblem(
  cause: ProviderFailed,
  service: string,
  refused: Pick<ProblemOptions, 'detail' | 'errors'>,
): Problem {
  const failed = (detail: string, retryAfterSeconds: number) =>
    new Problem('work-failed', { charged: false, detail, retryAfterSeconds, cause })
  switch (cause.kind) {
    case 'refused':
      return new Problem('invalid-input', { charged: false, ...refused, cause })
    case 'unavailable':
    case 'unusable':
      return failed(`The ${service} did not deliver; nothing was charged. Send the identical request again`, 10)
    case 'account':
      return failed(`The ${service} does not work for this shop just now; nothing was charged`, 60)
  }
}
