import type { SearchResult } from '../discovery/document-schemas/search-result-schema.ts'
import type { CronHealth } from '../jobs/cron-health.ts'
import type { PressStatus } from '../jobs/press-status.ts'
import type { Mcp } from '../mcp/make-mcp.ts'
import type { Episodes } from '../media/episode.ts'
import type { VoiceList } from '../media/speech/voice-list.ts'
import type { VoiceSamples } from '../media/voice-samples.ts'
import type { Receipt } from '../payments/receipt.ts'
import type { ProblemOptions } from '../problem.ts'
import type { ProblemKind } from '../problem-kinds.ts'
import type { HeardPost } from '../publishing/podcast/podcast-feed.ts'
import type { SearchQuery } from '../search/read-search-query.ts'
import type { SearchTranscripts } from '../search/transcripts/search-transcripts.ts'
import type { Statistics } from '../stats/statistics.ts'

/** What the running server hands to Astro's endpoints and rendered pages, as `Astro.locals.services`. */
export interface Services {
  /** The handler of a paid product with the gate composed into it; answers 404 for an id that nothing has. */
  paid(offerId: string): (request: Request, caller?: string) => Promise<Response>
  receipt(id: string): Promise<Receipt | undefined>
  statistics(): Promise<Statistics>
  search(query: SearchQuery): SearchResult
  /** The narrations that are ready; more come while the site runs. */
  readonly episodes: Episodes
  /** The posts that can be heard, newest first. */
  heardPosts(): HeardPost[]
  readonly searchTranscripts: SearchTranscripts
  /** The voices that texts can be read aloud in. */
  voices(): VoiceList
  readonly voiceSamples: VoiceSamples
  /** What the latest run of each tier of jobs came to. */
  cronHealth(): Promise<CronHealth>
  /** How the whole press does, for people. */
  status(): Promise<PressStatus>
  /** Answers a request to the tools (MCP). */
  readonly mcp: Mcp
  /** A problem response with this installation's addresses and a fresh request id. */
  problem(kind: ProblemKind, options?: ProblemOptions): Response
}
