import { availableParallelism } from 'node:os'
import { openWorkers, type WorkerOptions } from '../../workers/open-workers.ts'
import type { FinishedPicture, FinishTask } from '../finish-picture.ts'
import type { ImageReview } from '../review/review-image.ts'
import { type Cover, type CoverRequest, type ReviewTask, sizeOf } from './cover.ts'
import type { CardTask, Editions, EditionsTask } from './editions.ts'
import type { ArtTask } from './paint-art.ts'

/** Makes the cover of a title. The same request gives the same bytes. */
export type MakeCover = (request: CoverRequest, options?: { signal?: AbortSignal }) => Promise<Cover>

/** Covers made by worker processes. */
export interface CoverStudio {
  readonly makeCover: MakeCover
  /** One picture in several sizes and forms, drawn once. */
  readonly makeEditions: (task: EditionsTask) => Promise<Editions>
  readonly makeCard: (task: CardTask) => Promise<Editions>
  /** Crops and re-encodes a provider's picture. */
  readonly finishPicture: (task: FinishTask, options: { signal: AbortSignal }) => Promise<FinishedPicture>
  readonly reviewImage: (task: ReviewTask, options: { signal: AbortSignal }) => Promise<ImageReview>
  readonly close: () => Promise<void>
}

const workerModule = new URL('cover-worker.ts', import.meta.url).href

/**
 * Opens the embedded cover engine. It needs no key, no network and no fonts of the machine.
 *
 * @example
 * const studio = openCoverStudio()
 * const { jpeg, alt } = await studio.makeCover({ title: 'Tides', style: 'photographic', aspectRatio: '16:9' })
 * await studio.close()
 */
export function openCoverStudio({
  threads = Math.max(1, availableParallelism()),
  niceness = 0,
}: Partial<WorkerOptions> = {}): CoverStudio {
  const workers = openWorkers(workerModule, { threads, niceness })
  const run = <Task, Made>(name: string, task: Task, signal?: AbortSignal): Promise<Made> =>
    workers.run(name, task, { signal })
  return {
    makeCover(request, { signal } = {}) {
      const { title, excerpt = '', style, hasLettering = true, attempt = 0, seed } = request
      const [width, height] = sizeOf(request)
      const lettering = hasLettering ? { title } : undefined
      const task: ArtTask = { title, excerpt, style, width, height, lettering, attempt, seed }
      return run('cover', task, signal)
    },
    makeEditions: (task) => run('editions', task),
    makeCard: (task) => run('card', task),
    finishPicture: (task, { signal }) => run('finish', task, signal),
    reviewImage: (task, { signal }) => run('review', task, signal),
    close: workers.close,
  }
}
