import { x402Facilitator } from '@x402/core/facilitator'
import type { FacilitatorClient } from '@x402/core/server'
import { ExactEvmScheme } from '@x402/evm/exact/facilitator'
import { http } from 'viem'
import { network } from '../chain-constants.ts'
import { makeGasSigner } from './gas-signer.ts'
import { watchChain } from './watch-chain.ts'

export interface FacilitatorOptions {
  rpcUrl: string
  /** Pays the gas and never holds the money that is settled. */
  privateKey: string
  /** How long a settle waits for its receipt before it answers `settlement_pending`. */
  confirmationTimeoutMs?: number
  pollingIntervalMs?: number
}

/**
 * The x402 facilitator for USDC on Base with its own gas key: the sandbox's, or an operator's who wants no third party.
 * It refuses only what the chain refused; when the chain does not answer, `verify` and `settle` throw.
 *
 * @example const facilitator = makeFacilitator({ rpcUrl: chain.url, privateKey: sandboxAccounts.facilitator.privateKey })
 */
export function makeFacilitator(options: FacilitatorOptions): FacilitatorClient {
  const { rpcUrl, privateKey, confirmationTimeoutMs = 20_000, pollingIntervalMs = 250 } = options
  const { transport, unlessTroubled } = watchChain(http(rpcUrl, { timeout: 5_000, retryCount: 2 }))
  const signer = makeGasSigner({ transport, privateKey, confirmationTimeoutMs, pollingIntervalMs })
  const facilitator = new x402Facilitator().register(network, new ExactEvmScheme(signer))
  const { extensions, signers } = facilitator.getSupported()
  return {
    verify: (payload, requirements) =>
      unlessTroubled(
        () => facilitator.verify(payload, requirements),
        (verdict) => !verdict.isValid,
      ),
    settle: (payload, requirements) =>
      unlessTroubled(
        () => facilitator.settle(payload, requirements),
        (receipt) => !receipt.success && !receipt.transaction,
      ),
    getSupported: async () => ({ kinds: [{ x402Version: 2, scheme: 'exact', network }], extensions, signers }),
  }
}
