import type { Metric } from './metric.ts'

type Value = number | undefined

/** What stands at some height at this moment; `read` is asked at each look, and undefined is left out. */
export const makeGauge = (about: Pick<Metric, 'name' | 'help'>, read: () => Value | Promise<Value>): Metric => ({
  ...about,
  type: 'gauge',
  async read() {
    const value = await read()
    return value === undefined ? [] : [{ labels: {}, value }]
  },
})

type Heights = Iterable<readonly [string, number]>

/** The same, one for each value of a label. */
export const makeGauges = (
  about: Pick<Metric, 'name' | 'help'>,
  label: string,
  read: () => Heights | Promise<Heights>,
): Metric => ({
  ...about,
  type: 'gauge',
  read: async () => Array.from(await read(), ([value, height]) => ({ labels: { [label]: value }, value: height })),
})
