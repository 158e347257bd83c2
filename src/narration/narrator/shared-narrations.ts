import type { ObjectStore } from '../../storage/objects/object-store.ts'
import { type FinishedNarrations, readNarrationFile, toNarrationFile } from './finished-narrations.ts'

const start = 'narrations/'
/** Nobody asks for a text again after so long; who does has it made anew. */
const keptMs = 30 * 24 * 60 * 60 * 1000

interface Options {
  /** Those of this machine, which are looked through first. */
  readonly near: FinishedNarrations
  /** One that rather gives up than keeps a buyer waiting. */
  readonly objects: ObjectStore
  /** Told what could not be shared; nobody waits for it. */
  readonly report: (error: unknown) => void
}

/** Finished narrations that the machines of an installation share: what one of them has made none makes again. */
export function shareNarrations({ near, objects, report }: Options): FinishedNarrations {
  async function findFar(key: string) {
    const file = await objects.get(start + key).catch(() => undefined)
    const found = file && (await readNarrationFile(new Uint8Array(file)))
    if (found) await near.keep(key, found).catch(report)
    return found
  }
  return {
    find: async (key) => (await near.find(key)) ?? (await findFar(key)),
    async keep(key, narration) {
      await near.keep(key, narration)
      toNarrationFile(narration)
        .then((file) => objects.put(start + key, file))
        .catch(report)
    },
  }
}

/** Removes what was made long ago. */
export async function forgetSharedNarrations(objects: ObjectStore, now: number): Promise<void> {
  for await (const listed of objects.list(start))
    if (now - listed.changedAt > keptMs) await objects.removeUntouched(listed)
}
