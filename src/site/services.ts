import type { ProblemOptions } from '../core/problem.ts'
import type { ProblemKind } from '../core/problem-kinds.ts'
import type { HeardPost } from '../feeds/podcast/podcast-feed.ts'
import type { SiteStatus } from '../jobs/site-status.ts'
import type { Mcp } from '../mcp/make-mcp.ts'
import type { VoiceList } from '../narration/engines/voice-list.ts'
import type { Episodes } from '../narration/episodes/episode.ts'
import type { VoiceSamples } from '../narration/narrator/voice-samples.ts'
import type { NewsletterForm } from '../newsletter/newsletter-form.ts'
import type { PaidResource } from '../offers/resource-list.ts'
import type { OwnersLibrary } from '../owners/open-library.ts'
import type { Receipt } from '../payments/ledger/receipt-schema.ts'
import type { SearchQuery } from '../search/search-query.ts'
import type { SearchResult } from '../search/search-result-schema.ts'
import type { SearchTranscripts } from '../search/transcripts/search-transcripts.ts'
import type { Statistics } from '../stats/statistics.ts'

/** What the running server hands to Astro's endpoints and rendered pages, as `Astro.locals.services`. */
export interface Services {
  /** The handler of what is sold at a path with the gate composed into it; answers 404 where nothing is sold. */
  paid(path: string): (request: Request, caller?: string) => Promise<Response>
  /** What is for sale, as facilitators list it. */
  paidOffers(): readonly PaidResource[]
  receipt(id: string): Promise<Receipt | undefined>
  /** What wallets own. */
  readonly library: OwnersLibrary
  statistics(): Promise<Statistics>
  search(query: SearchQuery): SearchResult
  /** The narrations that are ready; more come while the site runs. */
  readonly episodes: Episodes
  /** When the pages were made. */
  readonly builtAt: string
  /** The posts that can be heard, newest first. */
  heardPosts(): HeardPost[]
  readonly searchTranscripts: SearchTranscripts
  /** The voices that texts can be read aloud in. */
  voices(): VoiceList
  readonly voiceSamples: VoiceSamples
  /** How the whole press does, for people. */
  status(): Promise<SiteStatus>
  /** Where new posts can be had by e-mail, if anywhere. */
  readonly newsletter: NewsletterForm | undefined
  /** Answers a request to the tools (MCP). */
  readonly mcp: Mcp
  /** A problem response with this installation's addresses and a fresh request id. */
  problem(kind: ProblemKind, options?: ProblemOptions): Response
}
