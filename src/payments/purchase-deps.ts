import type { Seal } from './seal.ts'
import type { TakeDeps } from './take-payment.ts'
import type { Wallet } from './terms.ts'
import type { WorkSlots } from './work-slots.ts'

/** What a purchase works with. */
export interface PurchaseDeps extends Omit<TakeDeps, 'publish'> {
  slots: WorkSlots
  seal: Seal
  wallet: Wallet
  /** Whether more comes in than can be done. */
  isOverloaded: () => boolean
  /** Counts what nobody paid for against the address that asked for it. */
  countAgainst: (caller: string, cost: number) => void
}
