import type { Metric, Sample } from './metric.ts'

/** Upper bounds of the buckets in seconds: from a local response to the longest wait of a request for the chain. */
const bounds = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

interface Series<Label extends string> {
  readonly labels: Readonly<Record<Label, string>>
  /** Number of observations up to each bound; cumulative. */
  readonly below: number[]
  count: number
  sum: number
}

/** A histogram of durations in seconds, for each set of labels. */
export function makeHistogram<Label extends string>(about: Pick<Metric, 'name' | 'help'>) {
  const all = new Map<string, Series<Label>>()

  const toSamples = ({ labels, below, count, sum }: Series<Label>): Sample[] => [
    ...bounds.map((bound, at) => ({
      suffix: '_bucket',
      labels: { ...labels, le: String(bound) },
      value: below[at] ?? 0,
    })),
    { suffix: '_bucket', labels: { ...labels, le: '+Inf' }, value: count },
    { suffix: '_sum', labels, value: sum },
    { suffix: '_count', labels, value: count },
  ]
  const metric: Metric = { ...about, type: 'histogram', read: () => [...all.values()].flatMap(toSamples) }

  return {
    metric,
    observe(labels: Readonly<Record<Label, string>>, seconds: number): void {
      const key = JSON.stringify(labels)
      const series = all.get(key) ?? { labels, below: bounds.map(() => 0), count: 0, sum: 0 }
      all.set(key, series)
      series.count += 1
      series.sum += seconds
      for (const [at, bound] of bounds.entries()) if (seconds <= bound) series.below[at] = (series.below[at] ?? 0) + 1
    },
  }
}
