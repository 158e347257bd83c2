import { Problem } from '../../src/core/problem.ts'
import { get, type Handle, type Route } from '../../src/http/route.ts'
import type { Wallet } from '../../src/payments/wire/requirements.ts'
import { frameOrder } from '../protocol/store-orders.ts'
import { answerJson } from './answer-json.ts'
import type { Credits } from './credits.ts'
import { assertHarmless, storeProducts } from './products.ts'
import { provePlayer } from './prove-player.ts'
import { readJsonBody } from './read-json-body.ts'
import { makeRedeem } from './redeem.ts'
import { makeShowEntitlements } from './show-entitlements.ts'
import { showStore } from './show-store.ts'
import { makeUnlock, type UnlockDeps } from './unlock.ts'

export interface StoreDeps extends UnlockDeps {
  credits: Credits
  wallet: Wallet
}

/** More than an unpaid body may have and still be quoted a price; what is larger was not meant for a store. */
const maxUnlockBytes = 1024 * 1024

/**
 * Everything below `/api/store` and `/api/credits`.
 *
 * @throws Error when a product would change play: such a host must not open
 */
export function makeStoreRoutes(deps: StoreDeps): Route[] {
  assertHarmless(storeProducts)
  const unlock = makeUnlock(deps)
  return [
    get('/api/store', async () => answerJson(await showStore(deps), 'public, max-age=60')),
    { path: '/api/store/unlock', handlers: { POST: unlock }, maxBodyBytes: maxUnlockBytes, sells: true },
    get('/api/store/entitlements', makeShowEntitlements(deps)),
    { path: '/api/store/frame', handlers: { POST: makeChooseFrame(deps) } },
    { path: '/api/credits/redeem', handlers: { POST: makeRedeem(deps) } },
  ]
}

type FrameDeps = Pick<UnlockDeps, 'db' | 'accounts' | 'entitlements'>

/** `POST /api/store/frame`: which of the frames a player owns goes around the next death. */
function makeChooseFrame({ db, accounts, entitlements }: FrameDeps): Handle {
  return async (request) => {
    const { frame, ...proof } = await readJsonBody(frameOrder, request)
    const { key, name } = await provePlayer(accounts, proof)
    const { frames } = await entitlements.of(key)
    if (!frames.includes(frame)) {
      const detail = `must be one of ${frames.join(', ')}`
      throw new Problem('invalid-input', { detail: `The frame ${detail}`, errors: [{ pointer: '/frame', detail }] })
    }
    await db.updateTable('player').set({ frame }).where('key', '=', key).execute()
    return answerJson({ ok: true, player: name, activeFrame: frame, frames })
  }
}
