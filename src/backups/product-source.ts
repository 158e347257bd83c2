import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import type { ObjectStore } from '../storage/objects/object-store.ts'
import { hasCode } from '../storage/write-atomically.ts'
import { makeChecksum } from './checksum.ts'
import type { Checksum } from './manifest.ts'

/** The products to back up. */
export interface ProductSource {
  /**
   * Size and checksum of a product; undefined when it is gone or damaged.
   *
   * @throws Error when that cannot be known, because the folder cannot be read or the storage does not respond
   */
  find(product: string): Promise<Checksum | undefined>
  open(product: string): AsyncIterable<Uint8Array>
}

/** Computes the checksum of a product, and its name: SHA-256 of its bytes and a zero byte. */
async function measure(source: AsyncIterable<Uint8Array>): Promise<Checksum & { readonly product: string }> {
  const sum = createHash('sha256')
  const checksum = makeChecksum()
  for await (const chunk of checksum.pass(source)) sum.update(chunk)
  return { ...checksum.read(), product: sum.update('\0').digest('hex') }
}

/** Products that are files of a folder. Each is read completely to verify it. */
export function folderProducts(folder: string): ProductSource {
  const open = (product: string) => createReadStream(join(folder, product))
  return {
    open,
    find: (product) =>
      measure(open(product)).then(
        ({ product: found, ...checksum }) => (found === product ? checksum : undefined),
        (error: unknown) => {
          // Gone, or on a broken part of the disk. Without permission to read it, its state is not known.
          if (hasCode(error, 'ENOENT') || hasCode(error, 'EIO')) return undefined
          throw error
        },
      ),
  }
}

/** Products in the storage, which has verified their checksums, and those that are still in the folder. */
export function storedProducts(objects: ObjectStore, folder: string): ProductSource {
  const near = folderProducts(folder)
  const keyOf = (product: string): string => `products/${product}`
  async function* open(product: string) {
    yield* (await near.find(product)) ? near.open(product) : await objects.open(keyOf(product))
  }
  return {
    open,
    async find(product) {
      const found = await near.find(product)
      if (found) return found
      const { bytes, sha256 } = (await objects.head(keyOf(product))) ?? { bytes: 0, sha256: undefined }
      if (sha256 !== undefined) return { bytes, sha256 }
      try {
        const { product: name, ...checksum } = await measure(await objects.open(keyOf(product)))
        return name === product ? checksum : undefined
      } catch (error) {
        // While the storage is down, the state of the product is not known.
        if (hasCode(error, 'ENOENT')) return undefined
        throw error
      }
    },
  }
}
