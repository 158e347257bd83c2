import { median } from './median.ts'
import type { Bench, Goal, Measure, Row, Sample } from './row.ts'

/** Ours by one measure, and one peer's where there is one. Figures are medians over the rounds. */
export interface Comparison {
  readonly measure: Measure
  readonly ours: number
  readonly peer?: string
  readonly theirs?: number
  /** Ours to theirs: the median of the rounds' ratios. */
  readonly ratio?: number
  /** The lowest and the highest of the rounds: of their ratios, or of our figures where there is no peer. */
  readonly spread: readonly [low: number, high: number]
  readonly goal?: Goal | undefined
}

/**
 * Runs the contenders of a row in turns, so that whatever else the machine does falls on all of them. A first round
 * warms up and is not counted; who begins changes from round to round.
 */
export async function compare(row: Row, bench: Omit<Bench, 'started'>, rounds: number): Promise<Comparison[]> {
  await using started = new AsyncDisposableStack()
  const { ours, peers } = await row.start({ ...bench, started })
  const contenders = [ours, ...Object.values(peers)].map((run) => ({ run, samples: [] as Sample[] }))
  for (let round = 0; round <= rounds; round++) {
    const first = round % contenders.length
    for (const { run, samples } of [...contenders.slice(first), ...contenders.slice(0, first)]) {
      const sample = await run()
      if (round > 0) samples.push(sample)
    }
  }
  const [own = [], ...others] = contenders.map(({ samples }) => samples)
  if (others.length === 0)
    return row.measures.map((measure) => {
      const ours = figures(own, measure)
      return { measure, ours: median(ours), spread: [Math.min(...ours), Math.max(...ours)] }
    })
  return Object.keys(peers).flatMap((peer, index) =>
    row.measures.map((measure) => {
      const goal = row.goals.find((wanted) => wanted.measure === measure.name && wanted.peer === peer)
      return { measure, peer, goal, ...relate(figures(own, measure), figures(others[index] ?? [], measure)) }
    }),
  )
}

const figures = (samples: readonly Sample[], { name }: Measure): number[] =>
  samples.map((sample) => sample[name] ?? Number.NaN)

function relate(ours: readonly number[], theirs: readonly number[]) {
  const ratios = ours.map((figure, round) => figure / (theirs[round] ?? Number.NaN))
  const spread = [Math.min(...ratios), Math.max(...ratios)] as const
  return { ours: median(ours), theirs: median(theirs), ratio: median(ratios), spread }
}
