import type { Expected, Witness } from '../chain/witness.ts'
import type { Lease } from '../ledger/lease.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { RecordedSale } from '../ledger/ledger-sales.ts'
import { type ComparedPayment, type PaymentRow, paidUnits } from '../ledger/payment-row.ts'
import type { Rail, Rails } from '../rails.ts'
import type { Payment, Requirements } from '../wire/payment.ts'
import { type SaleEvent, toEndEvent, toSaleEvent, toSoldEvent } from './sale-event.ts'

/** How a settlement stands. `pending`: money may have moved or may still move. */
export type Settlement = { is: 'settled'; sale: RecordedSale } | { is: 'failed'; reason: string } | { is: 'pending' }

export interface SettleDeps {
  ledger: Ledger
  rails: Rails
  sleep: (ms: number) => Promise<void>
  now: () => number
  report: (error: unknown) => void
  /** How long a buyer's request waits for the chain before it is told to come back. */
  settleWaitMs: number
  log: (event: SaleEvent) => void
}

/**
 * No facilitator took the payment: nothing was sent to the chain or charged, and the product waits if there is room.
 */
type Unsent = { is: 'unsent' }

const pollMs = 250
const pending: Settlement = { is: 'pending' }
/** After this many looks at a chain that does not answer, the facilitator is believed that says it settled. */
const blindLooks = 3

/** Reasons after which no transaction can have been sent: the facilitator looked and turned the payment away. */
const excludesBroadcast =
  /^(insufficient_funds|invalid_exact_evm_(insufficient_balance|signature|payload_signature|payload_authorization_valid_(before|after)|payload_authorization_value_mismatch|recipient_mismatch))$/

/** What the chain has to show for a row to be paid. */
export const toExpected = (row: ComparedPayment): Expected => ({
  asset: row.asset,
  payer: row.payer,
  payTo: row.pay_to,
  amount: paidUnits(row),
  nonce: row.nonce,
  validBefore: BigInt(row.valid_before),
  fromBlock: row.from_block,
  sinceSeconds: Math.floor(row.created_at / 1000),
})

/**
 * Records what the chain shows in a row that this process holds. Never sends the payment.
 *
 * @throws LeaseLost when another process took the row
 */
export async function recordWitness(ledger: Ledger, lease: Lease, witness: Witness): Promise<Settlement> {
  switch (witness.is) {
    case 'paid':
      return { is: 'settled', sale: await ledger.recordSale(lease, witness) }
    case 'void':
      await ledger.recordFailure(lease, 'invalid_exact_evm_nonce_already_used')
      return { is: 'failed', reason: 'invalid_exact_evm_nonce_already_used' }
    case 'expired':
      await ledger.recordFailure(lease, 'invalid_exact_evm_payload_authorization_valid_before')
      return { is: 'failed', reason: 'invalid_exact_evm_payload_authorization_valid_before' }
    case 'unused':
    case 'unseen':
      return pending
  }
}

/**
 * Takes the money for a row in `settling` whose product is stored, and believes only the chain: what the facilitator
 * answers (success, refusal, nothing) only says where to look. Asking twice is safe: one nonce moves money at most
 * once.
 *
 * `isFirst`: no earlier attempt ended without an answer. After one that did, a refusal proves nothing: the wallet may
 * be empty because that attempt emptied it, and a lagging RPC may not show it yet. `requestId`: the id of the buyer's
 * request, for the log.
 */
export async function settlePayment(
  deps: SettleDeps,
  { facilitator, oracle }: Rail,
  row: PaymentRow,
  lease: Lease,
  payment: Payment,
  required: Requirements,
  { isFirst, requestId }: { isFirst: boolean; requestId: string | undefined },
): Promise<Settlement | Unsent> {
  const { ledger, log, now } = deps
  const from = now()
  const known = () => ({ requestId, tookMs: now() - from })
  const answer = await facilitator.settle(payment, required)
  const expected = toExpected(row)
  // A monotonic clock: if the clock were set back, the buyer's request would wait until it has caught up.
  const until = performance.now() + deps.settleWaitMs
  for (let looks = 1; ; looks++) {
    const witness = await oracle.witness(
      answer.is === 'claimed' ? { ...expected, transaction: answer.transaction } : expected,
    )
    const contradicts = answer.is === 'claimed' && (witness.is === 'void' || witness.is === 'expired')
    // The facilitator or our node is wrong, so the buyer must not be told that nothing was charged.
    const settlement = contradicts ? pending : await recordWitness(ledger, lease, witness)
    if (settlement.is !== 'pending') {
      log(toEndEvent(row, settlement, known()))
      return settlement
    }
    if (isFirst && witness.is === 'unused' && answer.is === 'refused' && excludesBroadcast.test(answer.reason)) {
      await ledger.recordRefusal(lease, answer.reason)
      const refusal = { is: 'failed', reason: answer.reason } as const
      log(toEndEvent(row, refusal, known()))
      return refusal
    }
    if (isFirst && witness.is === 'unused' && answer.is === 'unsent') {
      const reason = 'facilitator_unavailable'
      await ledger.recordRefusal(lease, reason)
      deps.report(answer.cause)
      log(toEndEvent(row, { is: 'failed', reason }, known()))
      return { is: 'unsent' }
    }
    if (witness.is === 'unseen' && answer.is === 'claimed' && looks >= blindLooks) {
      // Our RPC does not answer, which the buyer must not suffer for: the facilitator is believed until the RPC does.
      const sale = await ledger.recordSale(lease, { transaction: answer.transaction })
      log(toSoldEvent('sale.doubted', sale, known()))
      return { is: 'settled', sale }
    }
    if (performance.now() >= until) break
    await deps.sleep(pollMs)
  }
  log(toSaleEvent('sale.pending', row, { ...known(), reason: answer.is === 'refused' ? answer.reason : answer.is }))
  await ledger.letGo(lease)
  return { is: 'pending' }
}
