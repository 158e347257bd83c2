import type { ObjectStore } from '../storage/objects/object-store.ts'
import { StorageFailed } from '../storage/objects/storage-failed.ts'
import type { Check } from './check.ts'

const advice = {
  unavailable: 'Products of more than 1 MiB are neither sold nor delivered until it is back; nothing is lost.',
  refused: 'Check STORAGE_URL and its keys; products of more than 1 MiB are neither sold nor delivered.',
  damaged: 'Something else wrote there; check STORAGE_URL.',
}

/** Checks that the storage responds and accepts the keys. */
export const makeStorageCheck = (objects: Pick<ObjectStore, 'get'>): Check => ({
  name: 'storage',
  everyMs: 60_000,
  async run() {
    try {
      await objects.get('owner', { maxBytes: 1024 })
      return { is: 'ok', sentence: 'The storage answers.' }
    } catch (error) {
      if (!(error instanceof StorageFailed)) throw error
      const { message, kind } = error
      return { is: 'warning', sentence: `${message.replace(/^t/, 'T')}.`, advice: advice[kind] }
    }
  },
})
