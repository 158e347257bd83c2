import type { Trace } from '../../tracing/trace.ts'
import type { Asking } from '../block-list.ts'
import type { Seal } from '../ledger/seal.ts'
import type { SettleDeps } from '../settlement/settle-payment.ts'
import type { Wallet } from '../wire/requirements.ts'
import type { TakePlace } from './take-place.ts'
import type { WorkSlots } from './work-slots.ts'

/** The dependencies of a purchase. */
export interface PurchaseDeps extends SettleDeps {
  slots: WorkSlots
  /** Places shared with the other programs that sell from this ledger; undefined where there are none. */
  takePlace: TakePlace | undefined
  seal: Seal
  wallet: Wallet
  /** Whether new work is to be refused because the program is overloaded. */
  isOverloaded: () => boolean
  /** Whether the operator has blocked this address or wallet. */
  isBlocked: (asking: Asking) => boolean
  /** Counts unpaid work against the rate limit of the address that caused it. `cost` is in failed payments. */
  countAgainst: (caller: string, cost: number) => void
  /** Runs a task every `ms` milliseconds (the renewal of a lease); returns the function that stops it. */
  every: (ms: number, task: () => void) => () => void
  /** Traces the steps of a purchase. */
  trace: Trace
}
