import type { CrawlerFacts } from '../src/crawlers/crawler-facts.ts'
import type { GuardedFetch } from '../src/fetching/fetched.ts'
import type { ImageService } from '../src/images/image-service.ts'
import type { Episodes } from '../src/narration/episodes/episode.ts'
import type { SpeechService } from '../src/narration/speech-service.ts'

/** What the site provides to the makers of its products. */
export interface MakeContext {
  /** Reads a file that the build prepared for sale, by its name. None of these files is served for free. */
  readonly readPrivate: (name: string) => Promise<string>
  /** The recordings of posts that are ready now. */
  readonly episodes: Pick<Episodes, 'find' | 'findFile'>
  /** What operators of crawlers published when it was last fetched; undefined when it has not been fetched yet. */
  readonly crawlerFacts: () => Promise<CrawlerFacts | undefined>
  /** Fetches only from the public internet, never from private networks. */
  readonly guardedFetch: GuardedFetch
  readonly images: ImageService
  readonly speech: SpeechService
  /** The page of each skill, by slug. */
  readonly skillUrls: ReadonlyMap<string, string>
  readonly now: () => Date
  /** Reports an error that the operator should hear of although a product is delivered; absent where there is no log. */
  readonly report?: (error: unknown) => void
  /** Registers what closes a maker's resources; called when the site stops, or no longer sells from this build. */
  readonly onClose: (close: () => Promise<void>) => void
}
