import type { Metric } from './metric.ts'

/**
 * A counter with one label: how often something happened since the program started, or how much of it.
 *
 * @param known label values that are reported from the start, as 0. Prometheus takes the first value that it sees of a
 * series as its base: if the series appeared with its first event, that event would not be counted as an increase.
 */
export function makeCounter(
  about: Pick<Metric, 'name' | 'help'>,
  label: string,
  known: () => readonly string[] = () => [],
) {
  const counts = new Map<string, number>()
  const metric: Metric = {
    ...about,
    type: 'counter',
    read: () =>
      [...new Set([...known(), ...counts.keys()])].map((value) => ({
        labels: { [label]: value },
        value: counts.get(value) ?? 0,
      })),
  }
  return {
    metric,
    add(value: string, by = 1): void {
      counts.set(value, (counts.get(value) ?? 0) + by)
    },
  }
}
