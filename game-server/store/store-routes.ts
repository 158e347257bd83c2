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

/** Well above the limit for paid input, so that a body that is too large for a purchase still gets a price. */
const maxUnlockBytes = 1024 * 1024

/**
 * All routes below `/api/store` and `/api/credits`.
 *
 * @throws Error when a product has a grant that could change play, so that the host does not open
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

/** `POST /api/store/frame`: chooses which of a player's frames is drawn around the next death. */
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
