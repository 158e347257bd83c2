import type { Figure, Run } from './history.ts'
import { median } from './median.ts'
import type { Bench, Measure, Row, Sample } from './row.ts'

/** The numbers of the rounds of a row: `rounds` that count, and before them round 0 as a warm-up. */
export function roundsOf({ hasNoWarmUp }: Pick<Row, 'hasNoWarmUp'>, rounds: number): number[] {
  const counted = Array.from({ length: rounds }, (_, at) => at + 1)
  return hasNoWarmUp ? counted : [0, ...counted]
}

/**
 * Runs the contenders of a row in turns, so that other work of the machine affects all of them equally. Unless the row
 * says otherwise, a first round warms up and does not count. Each round begins with another contender.
 */
export async function compare(
  row: Row,
  bench: Omit<Bench, 'started'>,
  rounds: number,
): Promise<Pick<Run, 'figures' | 'missing'>> {
  await using started = new AsyncDisposableStack()
  const { ours, peers, missing = {} } = await row.start({ ...bench, started })
  const own: Sample[] = []
  const others = Object.entries(peers).map(([peer, run]) => ({ peer, run, samples: [] as Sample[] }))
  const contenders = [{ run: ours, samples: own }, ...others]
  for (const round of roundsOf(row, rounds)) {
    const first = round % contenders.length
    for (const { run, samples } of [...contenders.slice(first), ...contenders.slice(0, first)]) {
      const sample = await run()
      if (round > 0) samples.push(sample)
    }
  }
  return { figures: toFigures(row.measures, own, others), ...(Object.keys(missing).length > 0 && { missing }) }
}

interface PeerSamples {
  readonly peer: string
  readonly samples: readonly Sample[]
}

/**
 * The figures of a row: first those compared with each peer, then those that no peer has. Figures that the system did
 * not provide are left out.
 */
export function toFigures(
  measures: readonly Measure[],
  own: readonly Sample[],
  others: readonly PeerSamples[],
): Figure[] {
  const has = (samples: readonly Sample[], { name }: Measure) => samples.some((sample) => name in sample)
  const compared = others.flatMap(({ peer, samples }) =>
    measures
      .filter((measure) => has(samples, measure))
      .map((measure) => ({
        measure: measure.name,
        peer,
        ...relate(figuresOf(own, measure), figuresOf(samples, measure)),
      })),
  )
  const alone = measures
    .filter((measure) => !others.some(({ samples }) => has(samples, measure)))
    .map((measure) => {
      const ours = figuresOf(own, measure)
      return { measure: measure.name, ours: median(ours), spread: rangeOf(ours) }
    })
  const isTold = ({ ours, theirs = 0, spread }: Figure): boolean => [ours, theirs, ...spread].every(Number.isFinite)
  return [...compared, ...alone].filter(isTold)
}

const figuresOf = (samples: readonly Sample[], { name }: Measure): number[] =>
  samples.map((sample) => sample[name] ?? Number.NaN)

const rangeOf = (figures: readonly number[]): [number, number] => [Math.min(...figures), Math.max(...figures)]

/** Compares two contenders. There is no ratio if any round has none, as when the peer's figure is 0. */
function relate(ours: readonly number[], theirs: readonly number[]) {
  const ratios = ours.map((figure, round) => figure / (theirs[round] ?? Number.NaN))
  const medians = { ours: median(ours), theirs: median(theirs) }
  if (!ratios.every(Number.isFinite)) return { ...medians, spread: rangeOf(ours) }
  return { ...medians, ratio: median(ratios), spread: rangeOf(ratios) }
}
