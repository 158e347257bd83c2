import { availableParallelism } from 'node:os'
import type { Config } from '../config/config.ts'
import { type Log, toLogText } from '../core/log.ts'
import type { GuardedFetch } from '../fetching/fetched.ts'
import { openCoverStudio } from '../images/covers/make-cover.ts'
import type { ImageService } from '../images/image-service.ts'
import { openImageEngine } from '../images/open-image-engine.ts'

/** Behind requests, before what is made in the background. */
const niceness = 10
/** Each holds up to 200 MB while it paints. */
const mostThreads = 2

/** The engine of the images that are sold, with workers of its own: what the site makes for itself never delays a buyer. */
export function openImages(
  choice: Config['engines']['image'],
  fetchPublic: GuardedFetch,
  log: Log,
): ImageService & { close(): Promise<void> } {
  const studio = openCoverStudio({ threads: Math.min(mostThreads, availableParallelism()), niceness })
  return {
    engine: openImageEngine(choice, studio, fetchPublic),
    review: (jpeg, expected, signal) => studio.reviewImage({ jpeg, expected }, { signal }),
    report: (kind, error) =>
      log('media.failed', { product: 'image-generate', engine: choice.is, kind, error: toLogText(error) }),
    now: () => performance.now(),
    close: studio.close,
  }
}
