import type { Trace } from '../../tracing/trace.ts'
import type { Asking } from '../block-list.ts'
import type { Seal } from '../ledger/seal.ts'
import type { SettleDeps } from '../settlement/settle-payment.ts'
import type { Wallet } from '../wire/requirements.ts'
import type { TakePlace } from './take-place.ts'
import type { WorkSlots } from './work-slots.ts'

/** What a purchase works with. */
export interface PurchaseDeps extends SettleDeps {
  slots: WorkSlots
  /** Where other programs sell from the same ledger. */
  takePlace: TakePlace | undefined
  seal: Seal
  wallet: Wallet
  /** Whether more comes in than can be done. */
  isOverloaded: () => boolean
  /** Whether the operator sells nothing to whoever asks. */
  isBlocked: (asking: Asking) => boolean
  /** Counts what nobody paid for against the address that asked for it. */
  countAgainst: (caller: string, cost: number) => void
  /** Renews while work goes on; returns the function that stops it. */
  every: (ms: number, task: () => void) => () => void
  /** Tells of each step, for whoever follows a request. */
  trace: Trace
}
