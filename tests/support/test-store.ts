import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openStore } from '../../game-server/store/open-store.ts'
import type { Claim } from '../../game-server/store/purchase-turns.ts'
import { makeWallRoute, type Shout } from '../../game-server/store/wall.ts'
import { sandboxPayTo } from '../../src/config/sandbox-accounts.ts'
import { usdcAddress } from '../../src/core/chain-constants.ts'
import { makeRouter } from '../../src/http/make-router.ts'
import { makeChainOracle } from '../../src/payments/chain/chain-oracle.ts'
import { makeCircuitBreaker } from '../../src/payments/facilitator/circuit-breaker.ts'
import { makeFacilitatorClient } from '../../src/payments/facilitator/facilitator-client.ts'
import type { LedgerDatabase } from '../../src/storage/open-ledger-database.ts'
import type { RunningMoney } from './money.ts'
import type { PretendChain } from './pretend-chain.ts'
import { openTestLedger } from './test-databases.ts'

export const gameUrl = 'http://game.farthing.test'

export interface TestStoreOptions {
  /** Real money on a local chain, or a truthful double of it that can be told to fail. */
  money: RunningMoney | PretendChain
  db?: LedgerDatabase
  now?: () => number
  payTo?: string
  /** Claims purchases where several hosts sell. */
  claim?: Claim
}

/** The game's store as the host opens it, called through the host's router without a socket. */
export async function openTestStore({ money, now = Date.now, payTo = sandboxPayTo, claim, ...rest }: TestStoreOptions) {
  const db = rest.db ?? (await openTestLedger())
  const logged: string[] = []
  const breaker = makeCircuitBreaker({ failures: 5, windowMs: 30_000, restMs: 10_000 }, Date.now)
  const seller =
    'rpcUrl' in money
      ? {
          facilitator: makeFacilitatorClient({ url: money.facilitatorUrl, headers: {}, breaker }),
          oracle: makeChainOracle(money.rpcUrl),
        }
      : { facilitator: money.facilitator, oracle: money.oracle }
  const dataDir = mkdtempSync(join(tmpdir(), 'farthing-store-'))
  const store = await openStore({
    config: {
      baseUrl: 'http://farthing.test',
      gameUrl,
      payTo,
      asset: usdcAddress,
      alsoAccepts: [],
      secret: () => undefined,
    },
    dataDir,
    db,
    ...seller,
    log: (name, fields) => logged.push(JSON.stringify({ name, ...fields })),
    isKept: (key) => key === 'kept-name',
    claim,
    settleWaitMs: 'rpcUrl' in money ? 6000 : 0,
    now,
  })
  const muted = new Map<string, number>()
  const told: Shout[] = []
  const tell = (shout: Shout) => void told.push(shout)
  const answer = makeRouter({
    routes: [...store.routes, makeWallRoute({ db, ...store, mutedMs: (key) => muted.get(key) ?? 0, tell, now })],
    baseUrl: 'http://farthing.test',
    notFound: () => new Response(null, { status: 404 }),
    report: ({ error }) => logged.push(error),
  })
  const ask: typeof fetch = (input, init) => {
    const request = new Request(input instanceof Request ? input : new URL(input, gameUrl), init)
    return answer(request, new URL(request.url).pathname, '')
  }
  return {
    ...store,
    db,
    dataDir,
    logged,
    muted,
    told,
    ask,
    /** Sends a JSON body. */
    post: (path: string, body: unknown, headers: Record<string, string> = {}) =>
      ask(path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      }),
    sales: async () => Number((await db.selectFrom('sale').select('id').execute()).length),
  }
}

export type TestStore = Awaited<ReturnType<typeof openTestStore>>
