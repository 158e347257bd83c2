import type { ObjectStore } from './object-store.ts'
import { StorageFailed } from './storage-failed.ts'

const claimKey = 'owner'

/**
 * The storage for one ledger alone. Whoever writes or removes first puts its name there, and no other may do so below
 * the same prefix: what a ledger does not name is removed in time, and would be what another shop has sold.
 *
 * @param owner what tells this ledger from every other
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

  /** Asked once for as long as the program runs, unless it failed. */
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
