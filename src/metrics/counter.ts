import type { Metric } from './metric.ts'

/**
 * A counter with one label: how often something happened since the program started, or how much of it.
 *
 * @param known values that are told from the start. What counts growth takes the first height that it sees for where a
 * count began: one that appeared with its first event would have that event for nothing.
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
