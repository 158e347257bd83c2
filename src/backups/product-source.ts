import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import type { ObjectStore } from '../storage/objects/object-store.ts'
import { hasCode } from '../storage/write-atomically.ts'
import { makeChecksum } from './checksum.ts'
import type { Checksum } from './manifest.ts'

/** Where the products are that are backed up. */
export interface ProductSource {
  /**
   * Undefined for one that is gone or damaged.
   *
   * @throws when it cannot be known, because the folder may not be read or the storage does not answer
   */
  find(product: string): Promise<Checksum | undefined>
  open(product: string): AsyncIterable<Uint8Array>
}

/** The name of a product is the sum of its bytes and an end mark. */
async function measure(source: AsyncIterable<Uint8Array>): Promise<Checksum & { readonly product: string }> {
  const sum = createHash('sha256')
  const checksum = makeChecksum()
  for await (const chunk of checksum.pass(source)) sum.update(chunk)
  return { ...checksum.read(), product: sum.update('\0').digest('hex') }
}

/** Products that are files of a folder; each is read. */
export function folderProducts(folder: string): ProductSource {
  const open = (product: string) => createReadStream(join(folder, product))
  return {
    open,
    find: (product) =>
      measure(open(product)).then(
        ({ product: found, ...checksum }) => (found === product ? checksum : undefined),
        (error: unknown) => {
          // Gone, or on a part of the disk that is broken; whoever may not read it knows nothing of it.
          if (hasCode(error, 'ENOENT') || hasCode(error, 'EIO')) return undefined
          throw error
        },
      ),
  }
}

/** Products in the storage, which has compared their sums; and those that still lie in the folder. */
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
        // A storage that is away says nothing about a product.
        if (hasCode(error, 'ENOENT')) return undefined
        throw error
      }
    },
  }
}
