import type { Config } from '../config/config.ts'
import { makeCircuitBreaker } from '../payments/facilitator/circuit-breaker.ts'
import { type Facilitator, makeFacilitatorClient } from '../payments/facilitator/facilitator-client.ts'

/** The facilitator of this installation, behind a breaker that gives it a rest when it fails. */
export function openFacilitator(config: Config): Facilitator {
  const breaker = makeCircuitBreaker({ failures: 5, windowMs: 30_000, restMs: 10_000 }, Date.now)
  return makeFacilitatorClient({ url: config.facilitator.url, headers: config.facilitatorHeaders, breaker })
}
