import { resolve } from 'node:path'
import type { BackupsSeen } from '../backups/overview.ts'
import type { Config } from '../config/config.ts'
import { rpcUrlOf } from '../config/other-networks.ts'
import type { NodeHandle, Route } from '../http/route.ts'
import type { Jobs } from '../jobs/jobs.ts'
import type { MentionStore } from '../mentions/mention-store.ts'
import { makeGameOrders } from '../operator/game-orders.ts'
import { measureStorage, type StorageUse } from '../operator/storage-use.ts'
import { makeChangeWatch } from '../operator/watch-changes.ts'
import { makeMentionsDesk } from '../operator-pages/mentions-desk.ts'
import type { OperatorDoor } from '../operator-pages/operator-door.ts'
import { makeOperatorRoutes } from '../operator-pages/operator-routes.ts'
import type { BlockList } from '../payments/block-list.ts'
import { makeFindRefund } from '../payments/chain/find-refund.ts'
import type { ReceiptSigner } from '../payments/proof/receipt-signer.ts'
import type { LedgerDatabase } from '../storage/open-ledger-database.ts'

interface Options {
  readonly config: Pick<Config, 'dataDir' | 'gamePort' | 'rpcUrl' | 'alsoNetworks'>
  readonly door: OperatorDoor
  readonly backups: BackupsSeen
  readonly db: LedgerDatabase
  readonly jobs: Jobs
  readonly blocks: BlockList
  readonly mentions: { readonly store: MentionStore; readonly changed: () => Promise<void> }
  readonly signer: ReceiptSigner
  readonly writeQuotes: () => Promise<void>
  readonly findTroubles: () => Promise<readonly string[]>
  readonly report: (error: unknown) => void
  readonly signal: AbortSignal
}

/** How long a measurement of the storage is reused, because it reads the size of every file. */
const measuredMs = 10_000

/** Opens the pages for the operator. */
export function openOperatorPages({ config, backups, mentions, ...shared }: Options): {
  readonly routes: Route<NodeHandle>[]
  readonly close: () => Promise<void>
} {
  const dataDir = resolve(config.dataDir)
  const changes = makeChangeWatch(shared)
  let measured: { readonly until: number; readonly use: Promise<StorageUse> } | undefined
  const storage = (): Promise<StorageUse> => {
    if (!measured || measured.until < performance.now())
      measured = { until: performance.now() + measuredMs, use: measureStorage(dataDir, backups) }
    return measured.use
  }
  const routes = makeOperatorRoutes({
    ...shared,
    changes,
    storage,
    findRefund: makeFindRefund((network) => rpcUrlOf(config, network)),
    game: makeGameOrders({ dataDir, gamePort: config.gamePort }),
    now: Date.now,
  })
  return { routes: [...routes, makeMentionsDesk({ door: shared.door, ...mentions })], close: changes.close }
}
