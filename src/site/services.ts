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

/** What the running server passes to Astro's endpoints and rendered pages, as `Astro.locals.services`. */
export interface Services {
  /** The payment gate of the product at a path; it responds 404 where nothing is sold. */
  paid(path: string): (request: Request, caller?: string) => Promise<Response>
  /** The products for sale, in the form that facilitators list. */
  paidOffers(): readonly PaidResource[]
  receipt(id: string): Promise<Receipt | undefined>
  /** The purchases of wallets. */
  readonly library: OwnersLibrary
  statistics(): Promise<Statistics>
  search(query: SearchQuery): SearchResult
  /** The narrations that are ready; more may be made while the site runs. */
  readonly episodes: Episodes
  /** The time of the build. */
  readonly builtAt: string
  /** The posts with a narration, newest first. */
  heardPosts(): HeardPost[]
  readonly searchTranscripts: SearchTranscripts
  /** The voices of the product that reads texts aloud. */
  voices(): VoiceList
  readonly voiceSamples: VoiceSamples
  /** The status of the whole press, for people. */
  status(): Promise<SiteStatus>
  /** The form for the newsletter; undefined where there is none. */
  readonly newsletter: NewsletterForm | undefined
  /** Handles a request to the MCP tools. */
  readonly mcp: Mcp
  /** A problem response with this installation's addresses and a fresh request id. */
  problem(kind: ProblemKind, options?: ProblemOptions): Response
}
