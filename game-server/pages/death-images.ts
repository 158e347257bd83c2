import { openWorkers, type WorkerOptions } from '../../src/workers/open-workers.ts'
import type { CardDeath } from './death-card.ts'

/** The dead are talked about for a while and then forgotten. */
const kept = 200

/** Pictures of deaths, drawn when somebody links to one, in a process that ends by itself when nobody asks. */
export function openDeathImages({ niceness = 0 }: Partial<Pick<WorkerOptions, 'niceness'>> = {}) {
  const workers = openWorkers(new URL('death-image-worker.ts', import.meta.url).href, { threads: 1, niceness })
  const pictures = new Map<string, Promise<Uint8Array>>()
  return {
    get(death: CardDeath): Promise<Uint8Array> {
      const known = pictures.get(death.id)
      if (known !== undefined) return known
      const drawn = workers.run<CardDeath, Uint8Array>('draw', death)
      pictures.set(death.id, drawn)
      drawn.catch(() => pictures.delete(death.id))
      const [oldest] = pictures.keys()
      if (pictures.size > kept && oldest !== undefined) pictures.delete(oldest)
      return drawn
    },
    close: workers.close,
  }
}

export type DeathImages = ReturnType<typeof openDeathImages>
