import { Problem, type ProblemOptions } from '../core/problem.ts'
import type { ProviderFailed } from './provider-failed.ts'

/**
 * The problem that tells a buyer of a provider's failure: whether to change the request, to send it again, or to wait.
 *
 * @param service what the provider does, for the text, such as "image service"
 * @param refused for a refused request: what the service does not do, and what to send instead
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
