import { Problem } from '../../src/core/problem.ts'
import type { Handle } from '../../src/http/route.ts'
import { redeemOrder } from '../protocol/store-orders.ts'
import type { Accounts } from './accounts.ts'
import { answerJson } from './answer-json.ts'
import type { Credits } from './credits.ts'
import type { EntitlementReader } from './entitlements.ts'
import { storeProducts } from './products.ts'
import { provePlayer } from './prove-player.ts'
import { readJsonBody } from './read-json-body.ts'

/** Accounts, credits and entitlements of players. */
export interface Holdings {
  accounts: Accounts
  credits: Credits
  entitlements: EntitlementReader
}

/**
 * `POST /api/credits/redeem`: exchanges earned credits for a product. It is idempotent: a player owns a product once,
 * and an entry once per cup.
 */
export function makeRedeem({ accounts, credits, entitlements }: Holdings): Handle {
  return async (request) => {
    const { sku, ...proof } = await readJsonBody(redeemOrder, request)
    const product = storeProducts.find((candidate) => candidate.sku === sku)
    if (!product) throw new Problem('unknown-sku')
    const { creditPrice, grants, kind } = product
    if (creditPrice === null) throw new Problem('not-redeemable')
    const { key, name } = await provePlayer(accounts, proof)
    const outcome = await credits.redeem({ key, sku, creditPrice, grants, isCupEntry: kind === 'tournament' })
    if (outcome.is === 'insufficient')
      throw new Problem('insufficient-credits', {
        detail: `${sku} costs ${creditPrice} credits, and this player has ${outcome.balance}. Each depth that a life reaches for the first time earns credits`,
      })
    const isNew = outcome.is === 'redeemed'
    return answerJson({
      ok: true,
      status: isNew ? 'redeemed' : 'already_owned',
      sku,
      player: name,
      charged: isNew ? creditPrice : 0,
      credits: outcome.balance,
      entitlements: (await entitlements.of(key)).entitlements,
    })
  }
}
