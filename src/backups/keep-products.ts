import type { BackupStore } from './folder-store.ts'
import { listBackups } from './list-backups.ts'
import { type BackupFile, toKey } from './manifest.ts'
import type { ProductSource } from './product-source.ts'

/**
 * Keeps the product files of a ledger, each once for all backups. One that is kept already is read, and written again
 * when it is damaged.
 *
 * @param assertRoom throws where there is no room for so many bytes more
 */
export async function keepProducts(
  store: BackupStore,
  source: ProductSource,
  assertRoom: (bytes: number) => Promise<void> = async () => {},
) {
  // The newest backup of a tier is not deleted. What it names is left as it is, for those who copy what changed.
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
    // Touched before it is read: another process that prunes takes what nobody names and nobody touched for long.
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

    /** Right before a manifest names them: those that another process took meanwhile are kept again. */
    async keepOn(products: readonly string[]): Promise<void> {
      for (const product of products) {
        const file = files.get(product)
        if (!file || safe.has(file.name) || (await store.touch(toKey('', file.name)))) continue
        if (!(await keepOne(product)))
          throw new Error(`the product ${product} has been removed from the backups in the meantime`)
      }
    },

    /** Of these products, the files that were kept and the names of those that were not there. */
    named(products: readonly string[]): { kept: BackupFile[]; missing: string[] } {
      return {
        kept: products.flatMap((product) => files.get(product) ?? []),
        missing: products.filter((product) => !files.get(product)),
      }
    },
  }
}
