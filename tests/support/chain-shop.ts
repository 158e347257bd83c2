import { sandboxPayTo } from '../../src/config/sandbox-accounts.ts'
import { makeChainOracle } from '../../src/payments/chain/chain-oracle.ts'
import { makeCircuitBreaker } from '../../src/payments/facilitator/circuit-breaker.ts'
import { makeFacilitatorClient } from '../../src/payments/facilitator/facilitator-client.ts'
import type { RunningMoney } from './money.ts'
import { openTestShop, type TestShopOptions } from './test-shop.ts'

/** The facilitator and the oracle of a real chain. */
export function openChainServices({ rpcUrl, facilitatorUrl }: Pick<RunningMoney, 'rpcUrl' | 'facilitatorUrl'>) {
  const breaker = makeCircuitBreaker({ failures: 5, windowMs: 30_000, restMs: 10_000 }, Date.now)
  return {
    facilitator: makeFacilitatorClient({ url: facilitatorUrl, headers: {}, breaker }),
    oracle: makeChainOracle(rpcUrl),
  }
}

/** The test shop with a real chain and a real facilitator. */
export function openChainShop(
  money: Pick<RunningMoney, 'rpcUrl' | 'facilitatorUrl'>,
  options: Partial<TestShopOptions> = {},
) {
  const chain = openChainServices(money)
  const clock = {
    get ms() {
      return Date.now()
    },
    set ms(_: number) {},
  }
  return openTestShop({ chain, clock, settleWaitMs: 3000, payTo: sandboxPayTo, ...options })
}
