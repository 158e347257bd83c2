import type { Row } from './row.ts'
import { siteBuild, toLargeBuild } from './rows/build.ts'
import { footprint } from './rows/footprint.ts'
import { gameHosts } from './rows/game-hosts.ts'
import { gameLimits } from './rows/game-limits.ts'
import { gameLoad } from './rows/game-load.ts'
import { hostileCrowd } from './rows/hostile-crowd.ts'
import { hostilePages } from './rows/hostile-pages.ts'
import { hotJson } from './rows/hot-json.ts'
import { images } from './rows/images.ts'
import { ledgerSize, ledgerSizePostgres } from './rows/ledger-size.ts'
import { mcpCalls } from './rows/mcp-calls.ts'
import { narration } from './rows/narration.ts'
import { pack } from './rows/pack.ts'
import { paidCrowd } from './rows/paid-crowd.ts'
import { paidRequest } from './rows/paid-request.ts'
import { rangeStreams } from './rows/range-streams.ts'
import { redelivery } from './rows/redelivery.ts'
import { search } from './rows/search.ts'
import { searchSize } from './rows/search-size.ts'
import { severalSites } from './rows/several-sites.ts'
import { staticPage } from './rows/static-page.ts'
import { testRun } from './rows/test-run.ts'
import { textExtraction } from './rows/text-extraction.ts'
import { unpaidAnswers } from './rows/unpaid-answers.ts'

/** A group of rows, which has its own section of the page and its own chart. */
export interface Area {
  /** Name of its chart in `docs/performance/`. */
  readonly name: string
  readonly title: string
  /** The rows by the names that `npm run bench` accepts. */
  readonly rows: Readonly<Record<string, Row>>
}

/** Everything that is measured, in the order of the page. */
export const areas: readonly Area[] = [
  {
    name: 'selling',
    title: 'Selling',
    rows: {
      'unpaid-answers': unpaidAnswers,
      'paid-request': paidRequest,
      'paid-crowd': paidCrowd,
      redelivery,
      'ledger-size': ledgerSize,
      'ledger-size-postgres': ledgerSizePostgres,
      'several-sites': severalSites,
    },
  },
  {
    name: 'serving',
    title: 'Serving',
    rows: {
      'static-page': staticPage,
      'range-streams': rangeStreams,
      'hot-json': hotJson,
      'mcp-calls': mcpCalls,
      search,
      'search-size': searchSize,
      'hostile-crowd': hostileCrowd,
      footprint,
    },
  },
  {
    name: 'making',
    title: 'Making what is sold',
    rows: { images, narration, pack, 'hostile-pages': hostilePages, 'text-extraction': textExtraction },
  },
  {
    name: 'dungeon',
    title: 'The dungeon',
    rows: { 'game-load': gameLoad, 'game-limits': gameLimits, 'game-hosts': gameHosts },
  },
  {
    name: 'building',
    title: 'Building and testing',
    rows: {
      build: siteBuild,
      'build-5000': toLargeBuild(5000),
      'build-20000': toLargeBuild(20_000),
      'test-run': testRun,
    },
  },
]
