import type { ObjectStore } from '../../storage/objects/object-store.ts'
import { type FinishedNarrations, readNarrationFile, toNarrationFile } from './finished-narrations.ts'

const start = 'narrations/'
/** How long shared narrations are kept. A request after that makes the narration again. */
const keptMs = 30 * 24 * 60 * 60 * 1000

interface Options {
  /** The cache of this machine, which is searched first. */
  readonly near: FinishedNarrations
  /** The shared object storage, with timeouts short enough that no buyer waits long. */
  readonly objects: ObjectStore
  /** Called with errors of the cache of this machine, and of sharing, which happens in the background. */
  readonly report: (error: unknown) => void
}

/** A cache of finished narrations that all machines of an installation share, so that none is made twice. */
export function shareNarrations({ near, objects, report }: Options): FinishedNarrations {
  const note = (error: unknown) => void report(error)

  async function findFar(key: string) {
    const file = await objects.get(start + key).catch(() => undefined)
    const found = file && (await readNarrationFile(new Uint8Array(file)))
    if (found) await near.keep(key, found).catch(report)
    return found
  }
  return {
    find: async (key) => (await near.find(key).catch(note)) ?? (await findFar(key)),
    async keep(key, narration) {
      await near.keep(key, narration)
      toNarrationFile(narration)
        .then((file) => objects.put(start + key, file))
        .catch(report)
    },
  }
}

/**
 * Removes shared narrations that are older than 30 days.
 *
 * @param now ms since 1970
 */
export async function forgetSharedNarrations(objects: ObjectStore, now: number): Promise<void> {
  for await (const listed of objects.list(start))
    if (now - listed.changedAt > keptMs) await objects.removeUntouched(listed)
}
