import { canonicalJson } from '../../core/canonical-json.ts'
import { network } from '../../core/chain-constants.ts'
import { sha256 } from '../../core/sha256.ts'
import type { Claim } from '../ledger/payment-row.ts'
import type { Wallet } from '../wire/requirements.ts'
import type { PurchaseRequest } from './outcome.ts'

/** What the ledger keeps of a request before any work is done for it. */
export function toClaim(
  { offer, path, fingerprint, payment, price, caller }: PurchaseRequest,
  { payTo, asset }: Wallet,
): Claim {
  const { authorization } = payment
  const validBefore = BigInt(authorization.validBefore)
  const newest = BigInt(Number.MAX_SAFE_INTEGER)
  return {
    key: payment.key,
    offer_id: offer.id,
    product: offer.title,
    path,
    fingerprint,
    authorization: canonicalJson(authorization),
    payer: payment.payer,
    pay_to: payTo,
    asset,
    network,
    nonce: authorization.nonce,
    amount: price.toString(),
    version: offer.version ?? null,
    valid_before: Number(validBefore < newest ? validBefore : newest),
    token_hash: payment.tokenHash,
    identifier_hash: payment.identifierHash,
    payload: null,
    caller: caller === undefined ? null : sha256('caller', caller),
  }
}
