import { canonicalJson } from '../core/canonical-json.ts'
import type { LedgerDatabase } from '../storage/open-ledger-database.ts'
import { findIncoming, type IncomingPayment } from './chain/find-incoming.ts'
import type { makeLedgerSales } from './ledger/ledger-sales.ts'
import type { Claim } from './ledger/payment-row.ts'
import { type Option, optionsOf, toMicroUsd, type Wallet } from './wire/requirements.ts'

/** The product columns of a payment that is known only from the chain. */
export const unknownPurchase = { offer_id: 'unknown', product: 'Not known: written back from the chain', path: '/' }

/** A payment found on the chain that the ledger does not have. */
export interface Recovered extends IncomingPayment {
  readonly option: Option
  /** Micro-USD. */
  readonly worth: bigint
}

interface Options {
  readonly db: LedgerDatabase
  readonly recoverSale: ReturnType<typeof makeLedgerSales>['recoverSale']
  readonly wallet: Wallet
  /** The node of a network; undefined where none is set. */
  readonly rpcUrlOf: (network: string) => string | undefined
  /** Start of the search, in milliseconds since the epoch. */
  readonly since: number
  /** Searches without writing anything. */
  readonly isDryRun?: boolean
}

/**
 * Writes payments back into the ledger that the chain shows and the ledger lacks, because it was restored from an older
 * backup. What each one bought is unknown: the wallet that paid says so when it asks again, and is not charged for it.
 * Safe while the shop sells, and safe to repeat.
 *
 * @throws when an RPC does not answer; payments found before that are already written
 */
export async function* recoverFromChain(options: Options): AsyncGenerator<Recovered> {
  const { db, recoverSale, wallet, rpcUrlOf, since, isDryRun = false } = options
  for (const option of optionsOf(wallet)) {
    const rpcUrl = rpcUrlOf(option.network)
    if (rpcUrl === undefined) continue
    for await (const paid of findIncoming(rpcUrl, { asset: option.asset, payTo: wallet.payTo, since })) {
      const key = [option.network, option.asset, paid.payer, paid.nonce].join('|').toLowerCase()
      const row = await db.selectFrom('payment').select('state').where('key', '=', key).executeTakeFirst()
      // The shop itself finds out what became of its open payments.
      if (row && row.state !== 'failed') continue
      const worth = toMicroUsd(option, paid.amount)
      if (!isDryRun) await recoverSale(toClaim(key, paid, option, wallet), paid, paid.at)
      yield { ...paid, option, worth }
    }
  }
}

const toClaim = (key: string, paid: IncomingPayment, option: Option, { payTo }: Wallet): Claim => ({
  ...unknownPurchase,
  ...{ key, payer: paid.payer, pay_to: payTo, asset: option.asset, network: option.network, nonce: paid.nonce },
  // The chain does not show `validAfter` and `validBefore` of an authorization.
  authorization: canonicalJson({
    from: paid.payer,
    to: payTo.toLowerCase(),
    value: `${paid.amount}`,
    nonce: paid.nonce,
  }),
  valid_before: Math.floor(paid.at / 1000),
  amount: toMicroUsd(option, paid.amount).toString(),
  units: option.perUsd === null ? null : paid.amount.toString(),
  ...{ fingerprint: '', sent: null, version: null, token_hash: null, identifier_hash: null, payload: null },
  caller: null,
})
