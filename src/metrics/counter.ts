import type { Metric } from './metric.ts'

/** A counter with one label: how often something happened since the program started, or how much of it. */
export function makeCounter(about: Pick<Metric, 'name' | 'help'>, label: string) {
  const counts = new Map<string, number>()
  const metric: Metric = {
    ...about,
    type: 'counter',
    read: () => [...counts].map(([value, count]) => ({ labels: { [label]: value }, value: count })),
  }
  return {
    metric,
    add(value: string, by = 1): void {
      counts.set(value, (counts.get(value) ?? 0) + by)
    },
  }
}
