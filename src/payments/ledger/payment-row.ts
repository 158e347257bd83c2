import type { Selectable } from 'kysely'
import type { PaymentTable } from '../../storage/ledger-schema.ts'

export type PaymentRow = Selectable<PaymentTable>

/**
 * The columns that a comparison with the chain needs: without the bytes of the product, because many payments are read
 * at once.
 */
export const comparedColumns = [
  'key',
  'offer_id',
  'path',
  'payer',
  'pay_to',
  'asset',
  'network',
  'nonce',
  'amount',
  'units',
  'valid_before',
  'state',
  'owner',
  'lease_until',
  'fence',
  'from_block',
  'reason',
  'created_at',
  'payload',
] as const satisfies readonly (keyof PaymentRow)[]

/** A payment as it is read to be compared with the chain. */
export type ComparedPayment = Pick<PaymentRow, (typeof comparedColumns)[number]>

/** The amount of a payment or sale in a token other than USDC on Base, in its atomic units; absent or null for that. */
export interface InUnits {
  units?: string | null
}

/** The amount of a payment or sale as the chain shows it, in atomic units of its token. */
export const paidUnits = ({ units, amount }: InUnits & Pick<PaymentRow, 'amount'>): bigint => BigInt(units ?? amount)

/** The columns of a new payment that are known before any work is done. */
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
