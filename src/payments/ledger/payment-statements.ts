import type { LedgerDatabase } from '../../storage/open-ledger-database.ts'
import { type Places, prepare } from '../../storage/prepare.ts'
import { withoutSync } from '../../storage/without-sync.ts'
import type { KeptProduct } from './keep-product.ts'
import type { Lease } from './lease.ts'
import { isAlone } from './owned-purchases.ts'
import type { Claim, PaymentRow } from './payment-row.ts'

/** Selects a payment by its key. */
export const findPayment = prepare((db: LedgerDatabase, { key }: Places<{ key: string }>) =>
  db.selectFrom('payment').selectAll().where('key', '=', key),
)

interface Unpaid extends Pick<PaymentRow, 'network' | 'payer' | 'asset'> {
  /** Unix seconds. */
  nowSeconds: number
}

/** Selects the payments that a wallet has signed in one token, that are not settling yet and have not expired. */
export const findUnpaid = prepare((db: LedgerDatabase, { network, payer, asset, nowSeconds }: Places<Unpaid>) =>
  db
    .selectFrom('payment')
    .select(['key', 'amount', 'units', 'created_at'])
    .where('network', '=', network)
    .where('payer', '=', payer)
    .where('asset', '=', asset)
    .where('state', 'in', ['working', 'ready'])
    .where('valid_before', '>', nowSeconds),
)

type Claimed = Required<Claim> & Pick<PaymentRow, 'owner' | 'lease_until' | 'created_at'>

/** Inserts a claim; writes nothing where its key or identifier is already taken. */
export const insertClaim = prepare((db: LedgerDatabase, claim: Places<Claimed>) =>
  db
    .insertInto('payment')
    .values({
      key: claim.key,
      offer_id: claim.offer_id,
      product: claim.product,
      path: claim.path,
      fingerprint: claim.fingerprint,
      sent: claim.sent,
      authorization: claim.authorization,
      payer: claim.payer,
      pay_to: claim.pay_to,
      asset: claim.asset,
      network: claim.network,
      nonce: claim.nonce,
      amount: claim.amount,
      units: claim.units,
      version: claim.version,
      valid_before: claim.valid_before,
      token_hash: claim.token_hash,
      identifier_hash: claim.identifier_hash,
      payload: claim.payload,
      caller: claim.caller,
      owner: claim.owner,
      lease_until: claim.lease_until,
      created_at: claim.created_at,
      state: 'working',
      fence: 1,
      deliveries: 0,
    })
    .onConflict((conflict) => conflict.doNothing())
    .modifyEnd(withoutSync),
)

type Keeping = KeptProduct & Lease & Pick<PaymentRow, 'owner' | 'from_block'>

const toKeepForSettlement = (db: LedgerDatabase, place: Places<Keeping>) =>
  db
    .updateTable('payment')
    .set({
      state: 'settling',
      from_block: place.from_block,
      mime_type: place.mime_type,
      headers: place.headers,
      body: place.body,
      body_file: place.body_file,
      body_bytes: place.body_bytes,
      body_sha256: place.body_sha256,
      digest: place.digest,
      grants: place.grants,
    })
    .where('key', '=', place.key)
    .where('fence', '=', place.fence)
    .where('owner', '=', place.owner)
    .where('state', '=', 'working')
    .returningAll()

/** Stores the product and moves the row from `working` to `settling`, if this process still holds it. */
export const keepForSettlement = prepare(toKeepForSettlement)
/** The same, unless another payment of the wallet for the product is settling or has settled. */
export const keepAloneForSettlement = prepare((db: LedgerDatabase, place: Places<Keeping>) =>
  toKeepForSettlement(db, place).where(isAlone(place.digest)),
)

/** Counts a delivery, if none was counted since the row was read. */
export const addDelivery = prepare(
  (db: LedgerDatabase, { key, deliveries }: Places<Pick<PaymentRow, 'key' | 'deliveries'>>) =>
    db
      .updateTable('payment')
      .set((expression) => ({ deliveries: expression('deliveries', '+', 1), asked_again_at: null }))
      .where('key', '=', key)
      .where('deliveries', '=', deliveries)
      .where('state', '=', 'settled')
      .modifyEnd(withoutSync),
)
