import { randomBytes } from 'node:crypto'
import { verifyTypedData } from 'viem'
import { z } from 'zod'
import { chainId, usdcAddress, usdcDomain } from '../../src/core/chain-constants.ts'
import type { ChainOracle } from '../../src/payments/chain/chain-oracle.ts'
import type { Witness } from '../../src/payments/chain/witness.ts'
import type { Facilitator } from '../../src/payments/facilitator/facilitator-client.ts'
import type { Payment } from '../../src/payments/wire/payment.ts'
import { transferAuthorizationTypes } from './transfer-authorization.ts'

export type VerifyFault = 'down' | 'invalid'
export type SettleFault =
  | 'drained'
  | 'down'
  | 'lost-answer'
  | 'refused'
  | 'pending'
  | 'pending-late'
  | 'lie'
  | 'preempted'
export type OracleFault = 'down' | 'stale'

const signatureOf = z.object({ payload: z.object({ signature: z.string() }) })
const checked = new Map<string, boolean>()

/** Verifies the signature for real, with a cache, because the same payments are used in thousands of runs. */
async function isSignedByPayer(payment: Payment): Promise<boolean> {
  const { signature } = signatureOf.parse(payment.payload).payload
  const memory = JSON.stringify([payment.authorization, signature])
  const known = checked.get(memory)
  if (known !== undefined) return known
  const { from, to, value, validAfter, validBefore, nonce } = payment.authorization
  const fresh = await verifyTypedData({
    address: from as `0x${string}`,
    signature: signature as `0x${string}`,
    domain: { ...usdcDomain, chainId, verifyingContract: usdcAddress },
    primaryType: 'TransferWithAuthorization',
    types: transferAuthorizationTypes,
    message: {
      from: from as `0x${string}`,
      to: to as `0x${string}`,
      value: BigInt(value),
      validAfter: BigInt(validAfter),
      validBefore: BigInt(validBefore),
      nonce: nonce as `0x${string}`,
    },
  })
  checked.set(memory, fresh)
  return fresh
}

/**
 * One truthful double of facilitator and chain for seeded schedules and fault sequences: it records real transfers,
 * verifies signatures, refuses used nonces, and can be told to fail. A late transfer is executed by `tick`.
 */
export function pretendChain(
  clock: { ms: number },
  wait: <T>(label: string, value: T) => Promise<T> = async (_, v) => v,
) {
  const moved = new Map<string, { transaction: string; to: string; value: bigint }>()
  const faults: {
    verify: (VerifyFault | undefined)[]
    settle: (SettleFault | undefined)[]
    oracle: (OracleFault | undefined)[]
  } = {
    verify: [],
    settle: [],
    oracle: [],
  }
  const calls = { verify: 0, settle: 0, oracle: 0, transfers: 0 }
  const late: (() => void)[] = []
  /** Called on every settlement, before anything moves. */
  let onSettle: (payment: Payment) => void | Promise<void> = () => {}
  const keyOf = (payer: string, nonce: string) => `${payer}|${nonce}`

  const transfer = ({ payer, authorization }: Payment): string | undefined => {
    const key = keyOf(payer, authorization.nonce)
    if (moved.has(key) || BigInt(authorization.validBefore) * 1000n <= BigInt(clock.ms)) return undefined
    const transaction = `0x${randomBytes(32).toString('hex')}`
    moved.set(key, { transaction, to: authorization.to, value: BigInt(authorization.value) })
    calls.transfers++
    return transaction
  }

  const facilitator: Facilitator = {
    async verify(payment) {
      calls.verify++
      const fault = faults.verify.shift()
      await wait('verify', 0)
      if (fault === 'down') return { is: 'unavailable', cause: 'down' }
      if (fault === 'invalid') return { is: 'invalid', reason: 'invalid_exact_evm_signature' }
      if (!(await isSignedByPayer(payment))) return { is: 'invalid', reason: 'invalid_exact_evm_signature' }
      if (moved.has(keyOf(payment.payer, payment.authorization.nonce)))
        return { is: 'invalid', reason: 'invalid_exact_evm_nonce_already_used' }
      return { is: 'valid' }
    },
    async settle(payment) {
      calls.settle++
      const fault = faults.settle.shift()
      await onSettle(payment)
      await wait('settle', 0)
      if (fault === 'down') return { is: 'unknown', cause: 'down' }
      if (fault === 'refused') return { is: 'refused', reason: 'insufficient_funds' }
      if (fault === 'pending') return { is: 'refused', reason: 'settlement_pending' }
      if (fault === 'lie') return { is: 'claimed', transaction: `0x${'ab'.repeat(32)}` }
      if (fault === 'pending-late') {
        late.push(() => void transfer(payment))
        return { is: 'refused', reason: 'settlement_pending' }
      }
      // An earlier attempt whose response was lost may have emptied the wallet.
      if (fault === 'drained' && moved.has(keyOf(payment.payer, payment.authorization.nonce)))
        return { is: 'refused', reason: 'insufficient_funds' }
      const transaction = transfer(payment)
      if (!transaction) return { is: 'refused', reason: 'invalid_exact_evm_nonce_already_used' }
      if (fault === 'lost-answer' || fault === 'drained') return { is: 'unknown', cause: 'the answer was lost' }
      if (fault === 'preempted') return { is: 'refused', reason: 'invalid_exact_evm_nonce_already_used' }
      return { is: 'claimed', transaction }
    },
    restLeftMs: () => 0,
  }

  const oracle: ChainOracle = {
    async witness(expected): Promise<Witness> {
      calls.oracle++
      const fault = faults.oracle.shift()
      await wait('oracle', 0)
      if (fault === 'down') return { is: 'unseen', cause: 'down' }
      const seen = moved.get(keyOf(expected.payer, expected.nonce))
      if (!seen || fault === 'stale')
        return { is: BigInt(clock.ms) >= expected.validBefore * 1000n ? 'expired' : 'unused', asOf: 1 }
      const isOurs = seen.to === expected.payTo.toLowerCase() && seen.value === expected.amount
      return isOurs ? { is: 'paid', transaction: seen.transaction, logIndex: 1, block: 1 } : { is: 'void', asOf: 1 }
    },
    finality: async () => ({ safe: 0, final: 0 }),
    time: async () => clock.ms,
    balance: async () => 1_000_000_000n,
    hasCode: async () => false,
    accepts: async () => false,
  }

  return {
    facilitator,
    oracle,
    faults,
    calls,
    moved,
    hasMoved: (payer: string, nonce: string) => moved.has(keyOf(payer, nonce.toLowerCase())),
    /** Sends the authorization to the chain as somebody else. */
    broadcast: transfer,
    /** Executes every late transfer. */
    tick() {
      for (const land of late.splice(0)) land()
    },
    watchSettle(watch: typeof onSettle) {
      onSettle = watch
    },
  }
}

export type PretendChain = ReturnType<typeof pretendChain>
