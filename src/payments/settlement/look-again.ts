import type { Finality } from '../chain/chain-oracle.ts'
import type { Witness } from '../chain/witness.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { OpenSale } from '../ledger/ledger-sales.ts'
import type { Seal } from '../ledger/seal.ts'
import type { Rail, Rails } from '../rails.ts'
import { type SaleEvent, toSaleEvent } from './sale-event.ts'
import { toExpected } from './settle-payment.ts'

export interface LookAgainDeps {
  ledger: Ledger
  rails: Rails
  seal: Seal
  now: () => number
  report: (error: unknown) => void
  log: (event: SaleEvent) => void
  /** Called after a sale was taken out of the books. */
  onChange: () => void
}

/** The reason in the row of a payment that is to be settled again because the chain lost its transfer. */
export const reversedReason = 'settlement_reversed'

/** How many of the due sales one look checks at most, the oldest first. */
const atOnce = 500
/** How long a transfer that only a facilitator reported may take to reach every node. */
const claimedMs = 2 * 60 * 1000

/**
 * Checks the sales on one network whose transfer may still be lost in a reorganisation, once when its block is safe and
 * once when it is final:
 *
 *     claimed ──► mined ──► safe ──► final
 *        └──────────┴─────────┴────► reversed   the chain has no such transfer any more
 *
 * A sale that the chain lost is taken out of the books. Its authorization, where it may still be used, is settled again
 * by `reconcile`; then the sale stands again.
 *
 * @param signal stops before the next sale
 */
export async function lookAgain(
  deps: LookAgainDeps,
  { network, oracle }: Rail,
  signal: AbortSignal | undefined,
): Promise<void> {
  const { ledger, report } = deps
  if (!(await ledger.hasOpenSales(network))) return
  let finality: Finality
  try {
    finality = await oracle.finality()
  } catch (error) {
    report(error)
    return
  }
  const due = await ledger.openSales(network, atOnce, (sale) => isDue(sale, finality, deps.now()))
  for (const sale of due) {
    if (signal?.aborted === true) return
    try {
      await judge(deps, sale, finality, await oracle.witness(toExpected(sale.row)))
    } catch (error) {
      report(error)
    }
  }
}

function isDue(sale: OpenSale['sale'], { safe, final }: Finality, nowMs: number): boolean {
  if (sale.block === null) return nowMs - sale.settled_at >= claimedMs
  return sale.block <= (sale.finality === 'safe' ? final : safe)
}

async function judge(deps: LookAgainDeps, open: OpenSale, finality: Finality, witness: Witness): Promise<void> {
  const { ledger, log, onChange } = deps
  const { sale, row } = open
  switch (witness.is) {
    case 'paid': {
      const { block } = witness
      await ledger.confirmSale(
        open,
        witness,
        block <= finality.final ? 'final' : block <= finality.safe ? 'safe' : 'mined',
      )
      return
    }
    case 'unseen':
      return
    case 'unused':
    case 'expired':
    case 'void': {
      // A node that has not reached the block of the sale yet cannot know it.
      if (witness.asOf < (sale.block ?? 0)) return
      const mayBeUsed = witness.is === 'unused' && row.payload !== null
      if (!(await ledger.reverseSale(open, mayBeUsed ? reversedReason : `${reversedReason}_${witness.is}`, mayBeUsed)))
        return
      const known = { receiptId: sale.id, transaction: sale.transaction_hash, reason: witness.is }
      log(toSaleEvent('sale.reversed', row, known))
      onChange()
    }
  }
}
