import type { Selectable } from 'kysely'
import type { PaymentTable } from '../../storage/ledger-schema.ts'

export type PaymentRow = Selectable<PaymentTable>

/** What a new payment claims: the columns that are known before any work. */
export type Claim = Pick<
  PaymentRow,
  | 'key'
  | 'offer_id'
  | 'product'
  | 'path'
  | 'fingerprint'
  | 'authorization'
  | 'payer'
  | 'pay_to'
  | 'asset'
  | 'network'
  | 'nonce'
  | 'amount'
  | 'version'
  | 'valid_before'
  | 'token_hash'
  | 'identifier_hash'
  | 'payload'
  | 'caller'
>
