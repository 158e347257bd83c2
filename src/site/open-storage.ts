import { join, resolve } from 'node:path'
import type { Config } from '../config/config.ts'
import { makeProductStore, type ProductStore } from '../payments/ledger/product-store.ts'
import { publishKey } from '../payments/proof/published-keys.ts'
import { readReceiptKey } from '../payments/proof/receipt-key.ts'
import type { ObjectStore } from '../storage/objects/object-store.ts'
import type { LedgerDatabase } from '../storage/open-ledger-database.ts'

/** Buyers wait for it: what is not kept by then is not sold. */
const patience = { attemptMs: 5000, withinMs: 15_000 }

/**
 * The storage of this installation; undefined where folders are used, for which nothing is loaded. It belongs to the
 * ledger, whose name is the first key that its receipts were signed with: a restored ledger has the same.
 */
export async function openStorage(
  { storage, secret, dataDir }: Pick<Config, 'storage' | 'secret' | 'dataDir'>,
  db: LedgerDatabase,
): Promise<ObjectStore | undefined> {
  if (!storage) return undefined
  const [{ openObjectStore }, { claimPrefix }] = await Promise.all([
    import('../storage/objects/open-object-store.ts'),
    import('../storage/objects/claim-prefix.ts'),
  ])
  // There is one from the first start on.
  await publishKey(db, readReceiptKey({ dataDir: resolve(dataDir), secret: secret() }), Date.now)
  const first = db.selectFrom('receipt_key').select('x').orderBy('since').orderBy('x').limit(1)
  const { x } = await first.executeTakeFirstOrThrow()
  return claimPrefix(openObjectStore(storage, patience), x)
}

/** Where large products are kept. */
export async function openProducts(dataDir: string, objects: ObjectStore | undefined): Promise<ProductStore> {
  const folder = join(dataDir, 'products')
  if (!objects) return makeProductStore(folder)
  const { makeStoredProducts } = await import('../payments/ledger/stored-products.ts')
  return makeStoredProducts({ objects, folder })
}
