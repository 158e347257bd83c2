import type { Selectable } from 'kysely'
import { showUnits, symbolOf } from '../core/assets.ts'
import { toDisplay } from '../core/money.ts'
import type { FindRefund } from '../payments/chain/find-refund.ts'
import { paidUnits } from '../payments/ledger/payment-row.ts'
import type { ReceiptSigner } from '../payments/proof/receipt-signer.ts'
import type { RefundTable, SaleTable } from '../storage/ledger-schema.ts'
import type { LedgerDatabase } from '../storage/open-ledger-database.ts'

/** A sale with its refund, if there is one. */
export interface RefundCase {
  readonly sale: Selectable<SaleTable>
  readonly refund: Selectable<RefundTable> | undefined
}

/** A refund as the operator reports it: a transaction to check on the chain, or a note on how it was done by hand. */
export interface SaidRefund {
  readonly receipt: string
  readonly transaction?: string | undefined
  readonly note?: string | undefined
}

/** `recorded`: the refund is in the ledger, from now or before. `refused`: nothing was written, for `reason`. */
export type RefundOutcome =
  | { readonly is: 'recorded'; readonly refund: Selectable<RefundTable> }
  | { readonly is: 'refused'; readonly reason: string }

interface Deps {
  readonly db: LedgerDatabase
  readonly findRefund: FindRefund
  readonly now: () => number
}

const maxNote = 500

/** A sale by its receipt, with its refund; undefined when there is no such sale. */
export async function findRefundCase(db: LedgerDatabase, receipt: string): Promise<RefundCase | undefined> {
  const sale = await db.selectFrom('sale').selectAll().where('id', '=', receipt).executeTakeFirst()
  if (!sale) return undefined
  const refund = await db.selectFrom('refund').selectAll().where('sale_id', '=', receipt).executeTakeFirst()
  return { sale, refund }
}

/**
 * Records that a sale was refunded. This sends no money: the operator sends it from a wallet of their own, and this
 * checks on the chain that the transfer exists. A refund that is recorded already is left as it is.
 */
export async function recordRefund(deps: Deps, said: SaidRefund): Promise<RefundOutcome> {
  const found = await findRefundCase(deps.db, said.receipt)
  if (!found) return refuse('there is no sale with this receipt')
  const { sale, refund } = found
  if (refund) return { is: 'recorded', refund }
  if (sale.reversed_at !== null) return refuse('the chain has lost this payment, so there is nothing to send back')
  const note = said.note?.trim() ?? ''
  if (note.length > maxNote) return refuse(`a note has at most ${maxNote} characters`)
  const { id: sale_id, asset, network, payer } = sale
  const row = { sale_id, asset, network, payer, note: note === '' ? null : note, refunded_at: deps.now() }
  const transaction = said.transaction?.trim().toLowerCase() ?? ''
  if (transaction === '') {
    if (note === '') return refuse('give the transaction that sent the money, or a note on how it was done by hand')
    const byHand = {
      ...row,
      amount: String(paidUnits(sale)),
      seen: 'hand' as const,
      transaction_hash: null,
      log_index: null,
    }
    return write(deps.db, byHand)
  }
  const wanted = { network, asset, payer, atLeast: paidUnits(sale), notBefore: sale.block }
  const witness = await deps.findRefund(transaction, wanted)
  if (witness.is === 'unseen') return refuse('the RPC does not answer, so the transfer could not be checked; try again')
  if (witness.is === 'none') return refuse(witness.reason)
  for (const { logIndex, amount } of witness.transfers) {
    const seen = { seen: 'chain' as const, transaction_hash: transaction, log_index: logIndex }
    const outcome = await write(deps.db, { ...row, ...seen, amount: String(amount) })
    if (outcome.is === 'recorded') return outcome
  }
  return refuse('this transfer refunds another sale already')
}

/** Inserts a refund. Unique constraints allow one refund per sale, and one sale per transfer. */
async function write(db: LedgerDatabase, row: Selectable<RefundTable>): Promise<RefundOutcome> {
  await db
    .insertInto('refund')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const refund = await db.selectFrom('refund').selectAll().where('sale_id', '=', row.sale_id).executeTakeFirst()
  return refund ? { is: 'recorded', refund } : refuse('this transfer refunds another sale already')
}

const refuse = (reason: string): RefundOutcome => ({ is: 'refused', reason })

/**
 * A note about a refund for the buyer: which receipt, how much was sent back, and how, signed with the key of receipts.
 */
export function toRefundNote(
  { sale_id, amount, asset, network, payer, transaction_hash, refunded_at, note }: Selectable<RefundTable>,
  signer: Pick<ReceiptSigner, 'toRefund'>,
) {
  const isUsdc = symbolOf(asset) === 'USDC'
  const facts = {
    receipt: sale_id,
    ...(isUsdc ? { amountMicroUsd: amount } : { asset, amountUnits: amount }),
    network,
    payer,
    ...(transaction_hash !== null && { transaction: transaction_hash }),
    refundedAt: new Date(refunded_at).toISOString(),
    ...(note !== null && { note }),
  }
  const how = transaction_hash === null ? `by hand: ${note ?? ''}` : `with the transaction ${transaction_hash}`
  const text = `Receipt ${sale_id}: ${isUsdc ? `${toDisplay(BigInt(amount))} in USDC` : showUnits(BigInt(amount), asset)} was sent back to ${payer} ${how}.`
  return { text, facts, signed: signer.toRefund(facts) }
}
