import { sandboxPayTo } from '../../src/config/sandbox-accounts.ts'
import { network, usdcAddress } from '../../src/core/chain-constants.ts'
import type { Product } from '../../src/offers/product.ts'
import type { Grants } from '../../src/payments/ledger/grants.ts'
import type { Claim } from '../../src/payments/ledger/payment-row.ts'

const payer = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8'

/** Every third sale is one of the game's store. */
const grantsOf = (number: number): Grants => ({
  player: `Buyer-${number}`,
  tokenHash: `hash ${number}`,
  entitlements: ['supporter', 'badge_tip'],
  isCupEntry: false,
})

/** A purchase that is known by its number alone: two processes that count alike agree on every byte of it. */
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
    // More than a row takes, so that it is written to a file; else a size of its own.
    product: {
      mimeType: 'text/plain',
      body: Buffer.alloc(isLarge ? 1_600_000 : 100 + (number % 50) * 97, number % 251),
      ...(number % 3 === 0 && { grants: JSON.stringify(grantsOf(number)) }),
    },
    transaction: `0x${(number + 1).toString(16).padStart(64, '0')}`,
  }
}

/** Every eighth claim comes to nothing: the row is deleted again. */
export const isReleased = (number: number): boolean => number % 8 === 7
