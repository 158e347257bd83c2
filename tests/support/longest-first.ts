import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** The slowest files of tests, slowest first, with about how many seconds each takes beside others. */
type Seconds = Readonly<Record<string, number>>

/** Those that keep a processor busy. The rest follows by size, so that a small file is named even if others take longer. */
const busy: Seconds = {
  'site/dev': 185,
  'attacks/hostile-chain': 168,
  'site/incremental-build': 160,
  'crash/p1-kill': 143,
  'media/hosted-narration': 89,
  'site/accessibility': 79,
  'hostile/fuzz-bodies': 66,
  'site/operator-desk': 56,
  'spec/marketplace-api': 49,
  'game/play-browser': 46,
  'site/two-commands': 46,
  'backups/stored-backups': 42,
  'crash/narration': 40,
  'site/narration': 36,
  'site/checkout': 33,
  'media/bought-narration': 32,
  'promises/p4-no-402-when-money-moved': 32,
  'hostile/bad-requests': 31,
  'hostile/facilitator-faults': 30,
  'site/weight': 30,
  'backups/recover-from-chain': 29,
  'unit/pagefind': 29,
  'crash/game-kill': 28,
  'promises/soak': 27,
  'unit/mistyped-commands': 27,
  'site/pages': 26,
  'http/refused-settings': 26,
  'hostile/page-reading': 26,
  'attacks/a-second-signature': 25,
  'http/buyer-install': 24,
  'site/setup': 24,
  'http/image': 23,
  'crash/p6-torn-wal': 23,
  'game/recorded-lives': 23,
}

/** Those that wait most of the time, for clocks, for another attempt, or for blocks of a chain. */
const waiting: Seconds = {
  'http/publish': 109,
  'http/emails': 46,
  'hostile/several-facilitators': 43,
  'unit/object-store': 35,
  'attacks/burn-gas': 33,
  'sandbox/chain': 31,
  'game/host-resume': 31,
  'http/webhooks': 29,
  'game/pages-browser': 27,
  'http/live-health': 27,
  'sandbox/two-networks': 24,
  'hostile/chain-faults': 23,
  'site/try-it': 22,
  'http/shutdown': 20,
  'media/deferred-pictures': 19,
  'attacks/stop-settlements': 17,
  'game/host-watch': 17,
  'http/slow-clients': 16,
  'game/host-protocol': 15,
  'game/store-browser': 15,
  'hostile/cache': 14,
  'unit/set-clock': 12,
  'crash/workers': 12,
  'unit/emails': 11,
  'site/shown-art': 11,
  'hostile/fetch-answers': 11,
  'attacks/lose-transactions': 11,
  'game/host-silence': 10,
  'unit/newsletter': 9,
}

/** In how many seconds each file would start if so many workers took them in turn. */
function toStarts(files: Seconds, workers: number): (readonly [name: string, start: number])[] {
  const ends = Array.from({ length: workers }, () => 0)
  return Object.entries(files).map(([name, seconds]) => {
    const start = Math.min(...ends)
    ends[ends.indexOf(start)] = start + seconds
    return [name, start]
  })
}

/**
 * Starts with the slowest tests, even without the results of an earlier run, so that the others need not wait for them
 * at the end. One worker has files that wait while the others are busy: if all waited at a time, so would the machine.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { maxWorkers } = this.ctx.config
    const starts = [...toStarts(busy, Math.max(1, maxWorkers - 1)), ...toStarts(waiting, 1)]
    // The smaller project comes first, because a worker serves one project at a time.
    const placeOf = ({ moduleId, project }: TestSpecification): number => {
      if (project.name === 'postgres') return -1
      return starts.find(([name]) => moduleId.endsWith(`tests/${name}.test.ts`))?.[1] ?? Number.POSITIVE_INFINITY
    }
    const sorted = await super.sort(files)
    return sorted
      .map((file) => ({ file, place: placeOf(file) }))
      .toSorted((one, other) => (one.place === other.place ? 0 : one.place - other.place))
      .map(({ file }) => file)
  }
}
