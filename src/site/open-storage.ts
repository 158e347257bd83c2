import { join } from 'node:path'
import type { Config } from '../config/config.ts'
import { makeProductStore, type ProductStore } from '../payments/ledger/product-store.ts'
import type { ObjectStore } from '../storage/objects/object-store.ts'
import type { LedgerDatabase } from '../storage/open-ledger-database.ts'

/** Buyers wait for it: what is not kept by then is not sold. */
const patience = { attemptMs: 5000, withinMs: 15_000 }

/**
 * The storage of this installation; undefined where folders are used, for which nothing is loaded. It belongs to the
 * ledger, whose name is the first key that its receipts were signed with: a restored ledger has the same.
 */
export async function openStorage(
  { storage }: Pick<Config, 'storage'>,
  db: LedgerDatabase,
): Promise<ObjectStore | undefined> {
  if (!storage) return undefined
  const [{ openObjectStore }, { claimPrefix }] = await Promise.all([
    import('../storage/objects/open-object-store.ts'),
    import('../storage/objects/claim-prefix.ts'),
  ])
  const first = await db.selectFrom('receipt_key').select('x').orderBy('since').orderBy('x').limit(1).executeTakeFirst()
  if (!first) throw new Error('the ledger has no name yet: start the site once')
  return claimPrefix(openObjectStore(storage, patience), first.x)
}

/** Where large products are kept. */
export async function openProducts(dataDir: string, objects: ObjectStore | undefined): Promise<ProductStore> {
  const folder = join(dataDir, 'products')
  if (!objects) return makeProductStore(folder)
  const { makeStoredProducts } = await import('../payments/ledger/stored-products.ts')
  return makeStoredProducts({ objects, folder })
}
