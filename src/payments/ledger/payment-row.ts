import type { Selectable } from 'kysely'
import type { PaymentTable } from '../../storage/ledger-schema.ts'

export type PaymentRow = Selectable<PaymentTable>

/** Of a payment or a sale in another token than USDC; absent or null for USDC. */
export interface InUnits {
  units?: string | null
}

/** What the chain has to show for a payment or a sale, in atomic units of its token. */
export const paidUnits = ({ units, amount }: InUnits & Pick<PaymentRow, 'amount'>): bigint => BigInt(units ?? amount)

/** What a new payment claims: the columns that are known before any work. */
export type Claim = InUnits &
  Pick<
    PaymentRow,
    | 'key'
    | 'offer_id'
    | 'product'
    | 'path'
    | 'fingerprint'
    | 'sent'
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
