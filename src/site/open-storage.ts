import { join, resolve } from 'node:path'
import { type Backups, openBackups } from '../backups/make-backup.ts'
import { type BackupsSeen, seeFolder, seeStorage } from '../backups/overview.ts'
import type { Config } from '../config/config.ts'
import type { StorageSettings } from '../config/storage-settings.ts'
import { makeProductStore, type ProductStore } from '../payments/ledger/product-store.ts'
import { publishKey } from '../payments/proof/published-keys.ts'
import { readReceiptKey } from '../payments/proof/receipt-key.ts'
import type { Patience } from '../storage/objects/ask-storage.ts'
import type { ObjectStore } from '../storage/objects/object-store.ts'
import type { LedgerDatabase } from '../storage/open-ledger-database.ts'

/** For buyers, who wait for it: a product that is not stored in this time is not sold. */
const patience: Patience = { attemptMs: 5000, withinMs: 15_000 }
/** For checks, which are repeated soon anyway. */
export const impatience: Patience = { attemptMs: 3000, withinMs: 3000 }

/** The storage for large files outside of the machines of an installation. */
export interface ShopStorage {
  readonly objects: ObjectStore
  /** The same with short timeouts, for callers that can do without a result. */
  readonly quick: ObjectStore
  readonly settings: StorageSettings
  /** The id of the ledger that the storage belongs to. */
  readonly owner: string
}

/**
 * Opens the storage of this installation; undefined where folders are used, for which nothing is loaded. The storage
 * belongs to a ledger, whose id is the first key that signed its receipts: a restored ledger has the same.
 */
export async function openStorage(
  { storage, secret, dataDir }: Pick<Config, 'storage' | 'secret' | 'dataDir'>,
  db: LedgerDatabase,
): Promise<ShopStorage | undefined> {
  if (!storage) return undefined
  const [{ openObjectStore }, { claimPrefix }] = await Promise.all([
    import('../storage/objects/open-object-store.ts'),
    import('../storage/objects/claim-prefix.ts'),
  ])
  // Makes sure that the ledger has a key, which it otherwise gets at the first start.
  await publishKey(db, readReceiptKey({ dataDir: resolve(dataDir), secret: secret() }), Date.now)
  const first = db.selectFrom('receipt_key').select('x').orderBy('since').orderBy('x').limit(1)
  const { x: owner } = await first.executeTakeFirstOrThrow()
  return {
    objects: claimPrefix(openObjectStore(storage, patience), owner),
    quick: claimPrefix(openObjectStore(storage, impatience), owner),
    settings: storage,
    owner,
  }
}

/** Opens the storage for reading only, without claiming it for a ledger. */
export async function readStorage(
  { storage }: Pick<Config, 'storage'>,
  wait?: Patience,
): Promise<ObjectStore | undefined> {
  if (!storage) return undefined
  const { openObjectStore } = await import('../storage/objects/open-object-store.ts')
  return openObjectStore(storage, wait)
}

/** Opens the store of large products. */
export async function openProducts(dataDir: string, storage: ShopStorage | undefined): Promise<ProductStore> {
  const folder = join(dataDir, 'products')
  if (!storage) return makeProductStore(folder)
  const { makeStoredProducts } = await import('../payments/ledger/stored-products.ts')
  return makeStoredProducts({ objects: storage.objects, folder })
}

/** Removes old narrations from the storage that are only a cache. */
export async function clearStorage(storage: ShopStorage | undefined): Promise<void> {
  if (!storage) return
  const { forgetSharedNarrations } = await import('../narration/narrator/shared-narrations.ts')
  await forgetSharedNarrations(storage.objects, Date.now())
}

/** Opens the backups of the ledger and the data folder, wherever they are kept. */
export async function openShopBackups(
  { backupDir, storesBackups, ...config }: Pick<Config, 'backupDir' | 'storesBackups' | 'dataDir' | 'databaseUrl'>,
  shop: ShopStorage | undefined,
): Promise<Backups> {
  const folder = resolve(backupDir)
  const place = { dataDir: resolve(config.dataDir), databaseUrl: config.databaseUrl(), folder, now: Date.now }
  if (!shop) return openBackups(place)
  const { openStoredBackups } = await import('../backups/stored-backups.ts')
  const { keys, ...settings } = shop.settings
  const storage = { ...settings, keys: keys(), owner: shop.owner, keepsBackups: storesBackups }
  return openBackups({
    ...place,
    stored: { storage, store: storesBackups ? openStoredBackups(shop.objects, folder) : undefined },
  })
}

/** What is known of the backups without listing all of them. */
export const seeBackups = (
  { backupDir, storesBackups }: Pick<Config, 'backupDir' | 'storesBackups'>,
  objects: ObjectStore | undefined,
): BackupsSeen => (objects && storesBackups ? seeStorage(objects) : seeFolder(resolve(backupDir)))
