import { sandboxPayTo } from '../../src/config/sandbox-accounts.ts'
import { network, usdcAddress } from '../../src/core/chain-constants.ts'
import type { Product } from '../../src/offers/product.ts'
import type { Grants } from '../../src/payments/ledger/grants.ts'
import type { Claim } from '../../src/payments/ledger/payment-row.ts'

const payer = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8'

/** Entitlements of the game store, which every third sale grants. */
const grantsOf = (number: number): Grants => ({
  player: `Buyer-${number}`,
  tokenHash: `hash ${number}`,
  entitlements: ['supporter', 'badge_tip'],
  isCupEntry: false,
})

/** A purchase derived from its number alone, so that two processes with the same numbers agree on every byte of it. */
export function numberedSale(number: number): { claim: Claim; product: Product; transaction: string } {
  const nonce = `0x${number.toString(16).padStart(64, '0')}`
  const isLarge = number % 8 === 3
  return {
    claim: {
      key: `${network}|${usdcAddress.toLowerCase()}|${payer}|${nonce}`,
      offer_id: 'leaflet',
      product: 'A leaflet',
      path: '/leaflet',
      fingerprint: 'f'.repeat(64),
      sent: null,
      authorization: '{}',
      payer,
      pay_to: sandboxPayTo,
      asset: usdcAddress,
      network,
      nonce,
      amount: '100000',
      version: null,
      valid_before: 4_000_000_000,
      token_hash: null,
      identifier_hash: `identifier ${number}`,
      payload: null,
      caller: null,
    },
    // Either too large for a row, so that it is written to a file, or of a size of its own.
    product: {
      mimeType: 'text/plain',
      body: Buffer.alloc(isLarge ? 1_600_000 : 100 + (number % 50) * 97, number % 251),
      ...(number % 3 === 0 && { grants: JSON.stringify(grantsOf(number)) }),
    },
    transaction: `0x${(number + 1).toString(16).padStart(64, '0')}`,
  }
}

/** Whether a claim is released without a sale, so that its row is deleted; every eighth is. */
export const isReleased = (number: number): boolean => number % 8 === 7
