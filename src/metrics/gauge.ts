import type { Metric } from './metric.ts'

type Value = number | undefined

/** A gauge. `read` is called at each scrape; when it gives undefined the gauge is left out. */
export const makeGauge = (about: Pick<Metric, 'name' | 'help'>, read: () => Value | Promise<Value>): Metric => ({
  ...about,
  type: 'gauge',
  async read() {
    const value = await read()
    return value === undefined ? [] : [{ labels: {}, value }]
  },
})

type Heights = Iterable<readonly [string, number]>

/** A gauge with one label: `read` gives pairs of label value and value. */
export const makeGauges = (
  about: Pick<Metric, 'name' | 'help'>,
  label: string,
  read: () => Heights | Promise<Heights>,
): Metric => ({
  ...about,
  type: 'gauge',
  read: async () => Array.from(await read(), ([value, height]) => ({ labels: { [label]: value }, value: height })),
})
