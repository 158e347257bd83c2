import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Files of tests, slowest first, with about how many seconds each takes beside others. */
type Seconds = Readonly<Record<string, number>>

/** Those that keep a processor busy. */
const busy: Seconds = {
  'site/dev': 120,
  'attacks/hostile-chain': 109,
  'site/incremental-build': 104,
  'crash/p1-kill': 93,
  'media/hosted-narration': 58,
  'site/accessibility': 51,
  'hostile/fuzz-bodies': 43,
  'site/operator-desk': 36,
  'spec/marketplace-api': 32,
  'game/play-browser': 30,
  'site/two-commands': 30,
  'backups/stored-backups': 27,
  'crash/narration': 26,
  'site/narration': 23,
  'site/checkout': 21,
  'media/bought-narration': 21,
  'promises/p4-no-402-when-money-moved': 21,
  'hostile/bad-requests': 20,
  'hostile/facilitator-faults': 20,
  'site/weight': 20,
  'backups/recover-from-chain': 19,
  'unit/pagefind': 19,
  'crash/game-kill': 18,
  'promises/soak': 18,
  'unit/mistyped-commands': 18,
  'site/pages': 17,
  'http/refused-settings': 17,
  'hostile/page-reading': 17,
  'attacks/a-second-signature': 16,
  'http/buyer-install': 16,
  'site/setup': 16,
  'http/image': 15,
  'crash/p6-torn-wal': 15,
  'game/recorded-lives': 15,
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

/** About how many seconds each of the others takes. */
const usual = 2

const nameOf = ({ moduleId }: TestSpecification): string => /.*tests\/(.+)\.test\.ts$/.exec(moduleId)?.[1] ?? ''

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
    const sorted = await super.sort(files)
    const others = sorted.map(nameOf).filter((name) => !(name in busy || name in waiting))
    const starts = new Map([
      ...toStarts(
        { ...busy, ...Object.fromEntries(others.map((name) => [name, usual])) },
        Math.max(1, this.ctx.config.maxWorkers - 1),
      ),
      ...toStarts(waiting, 1),
    ])
    // The smaller project comes first, because a worker serves one project at a time.
    const placeOf = (file: TestSpecification): number =>
      file.project.name === 'postgres' ? -1 : (starts.get(nameOf(file)) ?? 0)
    return sorted.toSorted((one, other) => placeOf(one) - placeOf(other))
  }
}
