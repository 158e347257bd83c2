import type { ObjectStore } from './object-store.ts'
import { StorageFailed } from './storage-failed.ts'

const claimKey = 'owner'

/**
 * Reserves a prefix of the storage for one ledger. The first ledger that writes or removes an object puts its name
 * there, and every other one is refused below the same prefix: objects that a ledger does not refer to are removed in
 * time, and with a shared prefix they could be what another shop has sold.
 *
 * @param owner identifies this ledger
 */
export function claimPrefix(store: ObjectStore, owner: string): ObjectStore {
  let claimed: Promise<void> | undefined

  async function claim(): Promise<void> {
    const mine = Buffer.from(`${owner}\n`)
    const isMine = async () => {
      const found = await store.get(claimKey, { maxBytes: 1024 })
      if (found && !mine.equals(found))
        throw new StorageFailed('refused', 'is used by another shop: name another prefix in STORAGE_URL')
      return found !== undefined
    }
    if (await isMine()) return
    await store.put(claimKey, mine, 'new')
    await isMine()
  }

  /** Checks the claim once per process; a failed check is made again. */
  const ours = (): Promise<void> => {
    claimed ??= claim().catch((error: unknown) => {
      claimed = undefined
      throw error
    })
    return claimed
  }

  return {
    ...store,
    put: async (...args) => {
      await ours()
      return store.put(...args)
    },
    write: async (...args) => {
      await ours()
      await store.write(...args)
    },
    touch: async (key) => {
      await ours()
      return store.touch(key)
    },
    remove: async (key) => {
      await ours()
      await store.remove(key)
    },
    removeUntouched: async (listed) => {
      await ours()
      await store.removeUntouched(listed)
    },
    sweep: async (start, before) => {
      await ours()
      await store.sweep(start, before)
    },
  }
}
