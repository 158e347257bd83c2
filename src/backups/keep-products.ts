import type { BackupStore } from './folder-store.ts'
import { listBackups } from './list-backups.ts'
import { type BackupFile, toKey } from './manifest.ts'
import type { ProductSource } from './product-source.ts'

/**
 * Stores the product files of a ledger, each once for all backups. A file that is stored already is verified, and
 * written again when it is damaged.
 *
 * @param assertRoom throws when there is no room for this many more bytes
 */
export async function keepProducts(
  store: BackupStore,
  source: ProductSource,
  assertRoom: (bytes: number) => Promise<void> = async () => {},
) {
  // The newest backup of a tier is not deleted, so its files need no new time of change. Without one, tools that copy
  // changed files skip them.
  const newest = (await listBackups(store)).find(({ manifest }) => manifest !== undefined)
  const safe = new Set(newest?.manifest?.files.map(({ name }) => name))
  const files = new Map<string, BackupFile | undefined>()

  const isKept = ({ name, stored }: BackupFile): Promise<boolean> =>
    store.holds(toKey('', name), stored).catch(() => false)

  async function keepOne(product: string): Promise<BackupFile | undefined> {
    const found = await source.find(product)
    if (!found) return undefined
    const file = { name: `products/${product}`, ...found, stored: found }
    const key = toKey('', file.name)
    // Touched before it is verified: another process prunes files that no backup names and that are old.
    const isHeld = safe.has(file.name) || (await store.touch(key))
    if (!(isHeld && (await isKept(file)))) {
      await assertRoom(found.bytes)
      await store.write(key, source.open(product))
      if (!(await isKept(file))) throw new Error(`the product ${product} cannot be kept`)
    }
    return file
  }

  return {
    async keep(products: readonly string[]): Promise<void> {
      for (const product of products) if (!files.get(product)) files.set(product, await keepOne(product))
    },

    /** Call right before the manifest is written: stores products again that another process pruned meanwhile. */
    async keepOn(products: readonly string[]): Promise<void> {
      for (const product of products) {
        const file = files.get(product)
        if (!file || safe.has(file.name) || (await store.touch(toKey('', file.name)))) continue
        if (!(await keepOne(product)))
          throw new Error(`the product ${product} has been removed from the backups in the meantime`)
      }
    },

    /** Of these products, the stored files, and the names of those that were gone or damaged. */
    named(products: readonly string[]): { kept: BackupFile[]; missing: string[] } {
      return {
        kept: products.flatMap((product) => files.get(product) ?? []),
        missing: products.filter((product) => !files.get(product)),
      }
    },
  }
}
