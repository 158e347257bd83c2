import { canonicalJson } from '../../core/canonical-json.ts'
import { sha256 } from '../../core/sha256.ts'
import type { Claim } from '../ledger/payment-row.ts'
import { optionOf, unitsOf, type Wallet } from '../wire/requirements.ts'
import type { PurchaseRequest } from './outcome.ts'

/** The columns that the ledger stores of a request before any work is done for it. The caller is stored as a hash. */
export function toClaim(
  { offer, path, fingerprint, sent, payment, price, caller }: PurchaseRequest,
  wallet: Wallet,
): Claim {
  const { authorization } = payment
  const option = optionOf(wallet, payment)
  const validBefore = BigInt(authorization.validBefore)
  const newest = BigInt(Number.MAX_SAFE_INTEGER)
  return {
    key: payment.key,
    offer_id: offer.id,
    product: offer.title,
    path,
    fingerprint,
    sent: sent === fingerprint ? null : sent,
    authorization: canonicalJson(authorization),
    payer: payment.payer,
    pay_to: wallet.payTo,
    asset: option.asset,
    network: option.network,
    nonce: authorization.nonce,
    amount: price.toString(),
    version: offer.version ?? null,
    units: option.perUsd === null ? null : unitsOf(option, price).toString(),
    valid_before: Number(validBefore < newest ? validBefore : newest),
    token_hash: payment.tokenHash,
    identifier_hash: payment.identifierHash,
    payload: null,
    caller: caller === undefined ? null : sha256('caller', caller),
  }
}
