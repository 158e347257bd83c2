import { openWorkers, type WorkerOptions } from '../../src/workers/open-workers.ts'
import type { CardDeath } from './death-card.ts'

/** How many pictures are cached. */
const kept = 200

/** Draws pictures of deaths when they are requested, in a worker process that ends by itself when it is idle. */
export function openDeathImages({ niceness = 0 }: Partial<Pick<WorkerOptions, 'niceness'>> = {}) {
  const workers = openWorkers(new URL('death-image-worker.ts', import.meta.url).href, { threads: 1, niceness })
  const pictures = new Map<string, Promise<Uint8Array>>()
  return {
    get(death: CardDeath): Promise<Uint8Array> {
      // The frame is part of the cache key, because it is only final a moment after the death.
      const name = `${death.id} ${death.frame}`
      const known = pictures.get(name)
      if (known !== undefined) return known
      const drawn = workers.run<CardDeath, Uint8Array>('draw', death)
      pictures.set(name, drawn)
      drawn.catch(() => pictures.delete(name))
      const [oldest] = pictures.keys()
      if (pictures.size > kept && oldest !== undefined) pictures.delete(oldest)
      return drawn
    },
    close: workers.close,
  }
}

export type DeathImages = ReturnType<typeof openDeathImages>
