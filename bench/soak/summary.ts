import { median } from '../median.ts'
import { type Drift, findDrifts, isTooMuch, mostPercent } from './drift.ts'
import type { SoakOptions } from './options.ts'
import type { SoakRecord } from './record.ts'

/** The result of a soak test. */
export interface Summary {
  /** A section of Markdown. */
  readonly text: string
  readonly passed: boolean
}

const mostFailuresTold = 20
const whole = (figure: number): string => figure.toLocaleString('en', { maximumFractionDigits: 0 })
const total = (counts: Readonly<Record<string, number>>): number =>
  Object.values(counts).reduce((sum, count) => sum + count, 0)
const list = (counts: Readonly<Record<string, number>>): string =>
  Object.entries(counts)
    .map(([name, count]) => `${name} ${whole(count)}`)
    .join(', ')
const megabytes = (kilobytes: number): string => (kilobytes / 1024).toFixed(0)

/** The section "Two hours of load" of `docs/performance.md`, for a run of any length, over or not. */
export function summarize(record: SoakRecord, { warmUp, restartEvery, buildEvery }: SoakOptions): Summary {
  const drifts = findDrifts(record.memory, warmUp * 60).filter(({ program }) => program !== 'load')
  const waits = record.minutes.flatMap(({ waitsMs }) => waitsMs).toSorted((a, b) => a - b)
  const at = (share: number) => whole(waits[Math.min(waits.length - 1, Math.floor(waits.length * share))] ?? Number.NaN)
  const { failures, restarts, builds, player } = record
  const dollars = (Number(BigInt(record.spentMicros) / 10_000n) / 100).toFixed(2)
  const builtIn = builds.map(({ buildMs }) => buildMs / 1000)
  const shownIn = builds.map(({ shownMs }) => shownMs / 1000)
  const text = `## Two hours of load

\`npm run bench -- soak\` lets a live shop on a local chain run as its operator runs it: two site programs on one data folder, which are restarted in turn every ${restartEvery} minutes, the game host beside them, which is restarted, too, and a build with a changed post every ${buildEvery} minutes. Visitors read, search, listen, ask for prices and call tools; buyers pay; somebody plays. Every answer is looked at, and at the end the ledger is compared with the chain.

- Began ${record.startedAt}, on ${record.machine}
- ${record.isOver ? 'Went on for' : 'Ended early: after'} ${(record.seconds / 60).toFixed(0)} of ${record.plannedMinutes} minutes
- Requests: ${whole(total(record.requests))} (${list(record.requests)}); waits: median ${at(0.5)} ms, p99 ${at(0.99)} ms, longest ${at(1)} ms
- Sales: ${whole(total(record.sales))} for $${dollars} (${list(record.sales)}); ${record.redeliveries} asked for again; ${record.invitations} times a buyer was asked to come again
- Restarts: ${restarts.length}${restarts.length > 0 ? `; to stop took ${seconds(restarts.map(({ stopMs }) => stopMs / 1000))}, to start ${seconds(restarts.map(({ startMs }) => startMs / 1000))}` : ''}
- Builds: ${builds.length}${builds.length > 0 ? `; each took ${seconds(builtIn)}, and was shown by both sites after ${seconds(shownIn)}` : ''}
- A player: ${whole(player.keys)} keys answered, ${player.lives} lives, ${player.resumed} times back after a restart
- Failures: ${failures.length}${failures
    .slice(0, mostFailuresTold)
    .map(({ second, what }) => `\n  - after ${second} s: ${what.replaceAll(/\s+/g, ' ')}`)
    .join('')}

Resident memory in MB, from ${warmUp} minutes after the start of each process. *Drift* is from the median of the first 15 minutes (of the first half, when there is less) to that of the last; more than ${mostPercent} % is a failure where a stretch is 20 minutes or longer. *Drift of the least* is the same of what a process held when it did nothing heavy: narrations, images and builds that are taken over come and go.

${toTable(drifts)}
`
  return { text, passed: failures.length === 0 && !drifts.some(isTooMuch) }
}

const seconds = (figures: readonly number[]): string =>
  `${median(figures).toFixed(1)} s (${Math.min(...figures).toFixed(1)} to ${Math.max(...figures).toFixed(1)})`

const columns = ['program', 'minutes', 'least', 'median', 'most', 'drift', 'drift of the least']
const signed = (percent: number): string => `${percent > 0 ? '+' : ''}${percent.toFixed(1)} %`

function toTable(drifts: readonly Drift[]): string {
  const rows = drifts.map((drift) => {
    const { program, life, minutes, min, median: middle, max, percent, floorPercent } = drift
    const verdict = isTooMuch(drift) ? ' (too much)' : ''
    return [
      life === undefined ? program : `${program}, process ${life}`,
      minutes.toFixed(0),
      megabytes(min),
      megabytes(middle),
      megabytes(max),
      `${signed(percent)}${verdict}`,
      signed(floorPercent),
    ]
  })
  const toLine = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [toLine(columns), toLine(columns.map(() => '---')), ...rows.map(toLine)].join('\n')
}
