import type { CrawlerFacts } from '../src/crawlers/crawler-facts.ts'
import type { GuardedFetch } from '../src/fetching/fetched.ts'
import type { ImageService } from '../src/images/image-service.ts'
import type { Episodes } from '../src/narration/episodes/episode.ts'
import type { SpeechService } from '../src/narration/speech-service.ts'

/** What the site has for the products that it makes. */
export interface MakeContext {
  /** Reads a text that the build prepared for sale, by its name; none of them is served for free. */
  readonly readPrivate: (name: string) => Promise<string>
  /** The recordings of posts that are ready now. */
  readonly episodes: Pick<Episodes, 'find' | 'findFile'>
  /** What operators of crawlers said when they were asked last; undefined when nobody has asked yet. */
  readonly crawlerFacts: () => Promise<CrawlerFacts | undefined>
  /** Fetches from the public internet and from nowhere else. */
  readonly guardedFetch: GuardedFetch
  readonly images: ImageService
  readonly speech: SpeechService
  /** Where skills are described, by slug. */
  readonly skillUrls: ReadonlyMap<string, string>
  readonly now: () => Date
  /** Ends what a maker opened, when the site ends or no longer sells what this build has. */
  readonly onClose: (close: () => Promise<void>) => void
}
