import { canonicalJson } from '../core/canonical-json.ts'
import type { LedgerDatabase } from '../storage/open-ledger-database.ts'
import { findIncoming, type IncomingPayment } from './chain/find-incoming.ts'
import type { makeLedgerSales } from './ledger/ledger-sales.ts'
import type { Claim } from './ledger/payment-row.ts'
import { type Option, optionsOf, toMicroUsd, type Wallet } from './wire/requirements.ts'

/** Stands for a product in the books, of a payment that the chain alone knows. */
export const unknownPurchase = { offer_id: 'unknown', product: 'Not known: written back from the chain', path: '/' }

/** A payment that the ledger did not know. */
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
  /** Milliseconds; nothing older is looked for. */
  readonly since: number
  /** Looks, and writes nothing. */
  readonly isDryRun?: boolean
}

/**
 * Writes back what the chain shows to be paid and the ledger does not know, because it was restored from a backup that
 * is older. What was bought is not known: the wallet that paid says so, and gets it for nothing, when it asks again.
 * Safe while the shop sells, and to repeat.
 *
 * @throws when an RPC does not answer; what was found until then is written
 */
export async function* recoverFromChain(options: Options): AsyncGenerator<Recovered> {
  const { db, recoverSale, wallet, rpcUrlOf, since, isDryRun = false } = options
  for (const option of optionsOf(wallet)) {
    const rpcUrl = rpcUrlOf(option.network)
    if (rpcUrl === undefined) continue
    for await (const paid of findIncoming(rpcUrl, { asset: option.asset, payTo: wallet.payTo, since })) {
      const key = [option.network, option.asset, paid.payer, paid.nonce].join('|').toLowerCase()
      const row = await db.selectFrom('payment').select('state').where('key', '=', key).executeTakeFirst()
      // What is open is found by the shop itself.
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
  // The chain does not tell when an authorization would have begun and ended.
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
