type Labels = Readonly<Record<string, string>>

interface Sample {
  readonly name: string
  readonly labels: Labels
  readonly value: number
}

const headPattern = /^# (HELP|TYPE) ([a-zA-Z_:][a-zA-Z0-9_:]*) (\S.*)$/
const samplePattern = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (-?\d+(?:\.\d+)?(?:e[+-]?\d+)?|[+-]Inf|NaN)$/
const labelPattern = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\]|\\["\\n])*)"(?:,|$)/y

function readLabels(text: string): Labels {
  const labels: Record<string, string> = {}
  labelPattern.lastIndex = 0
  for (let at = 0; at < text.length; at = labelPattern.lastIndex) {
    const [, name, value = ''] = labelPattern.exec(text) ?? []
    if (name === undefined || name in labels) throw new Error(`no labels: ${text}`)
    labels[name] = value
  }
  return labels
}

const toValue = (text: string): number => Number(text.replace('Inf', 'Infinity'))

/** Checks that the three forms of a histogram (buckets, sum, count) agree. */
function checkHistogram(name: string, samples: readonly Sample[]): void {
  for (const { labels, value } of samples.filter((sample) => sample.name === `${name}_count`)) {
    const isOfThis = (sample: Sample) => Object.entries(labels).every(([label, is]) => sample.labels[label] === is)
    const buckets = samples.filter((sample) => sample.name === `${name}_bucket` && isOfThis(sample))
    const bounds = buckets.map(({ labels: { le = '' } }) => toValue(le))
    const counts = buckets.map((bucket) => bucket.value)
    const isSorted = (list: readonly number[]) => list.every((each, at) => at === 0 || each >= (list[at - 1] ?? 0))
    const isWhole = bounds.at(-1) === Number.POSITIVE_INFINITY && counts.at(-1) === value
    if (!isWhole || !isSorted(bounds) || !isSorted(counts)) throw new Error(`the buckets of ${name} do not add up`)
    if (!samples.some((sample) => sample.name === `${name}_sum` && isOfThis(sample)))
      throw new Error(`${name} has no sum`)
  }
}

/**
 * Reads metrics strictly by the text format 0.0.4: every line is a sample or metadata of the following metric, and the
 * lines of a metric are in one group.
 *
 * @throws Error that names the violation
 */
export function readMetrics(text: string) {
  if (!text.endsWith('\n')) throw new Error('the last line has no end')
  const types = new Map<string, string>()
  const helped = new Set<string>()
  const samples: Sample[] = []
  let current = ''
  for (const line of text.slice(0, -1).split('\n')) {
    const [, kind, about = '', said = ''] = headPattern.exec(line) ?? []
    if (kind === 'HELP') {
      if (helped.has(about)) throw new Error(`${about} comes twice`)
      helped.add(about)
      current = about
    } else if (kind === 'TYPE') {
      if (about !== current || types.has(about)) throw new Error(`the type of ${about} is not with it`)
      if (!/^(?:counter|gauge|histogram)$/.test(said)) throw new Error(`${about} is a ${said}`)
      types.set(about, said)
    } else {
      const [, name, labels = '', value = ''] = samplePattern.exec(line) ?? []
      if (name === undefined) throw new Error(`not of the format: ${line}`)
      const family = types.get(current) === 'histogram' ? name.replace(/_(?:bucket|sum|count)$/, '') : name
      if (family !== current || !types.has(current)) throw new Error(`${name} is not with its metric`)
      samples.push({ name, labels: readLabels(labels), value: toValue(value) })
    }
  }
  for (const [name, type] of types) if (type === 'histogram') checkHistogram(name, samples)
  const keys = samples.map(({ name, labels }) => JSON.stringify([name, Object.entries(labels).sort()]))
  if (new Set(keys).size !== keys.length) throw new Error('a sample comes twice')
  return {
    types,
    /** The value of the only sample with these labels; undefined if there is none. */
    value: (name: string, labels: Labels = {}): number | undefined =>
      samples.find(
        (sample) => sample.name === name && Object.entries(labels).every(([label, is]) => sample.labels[label] === is),
      )?.value,
  }
}
