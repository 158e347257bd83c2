type Labels = Readonly<Record<string, string>>

/** One line of a metric. `suffix` follows the name in the lines of a histogram. */
export interface Sample {
  readonly suffix?: string
  readonly labels: Labels
  readonly value: number
}

/** A metric as Prometheus defines it. */
export interface Metric {
  readonly name: string
  /** One sentence. */
  readonly help: string
  readonly type: 'counter' | 'gauge' | 'histogram'
  /** Called at each scrape; may reject, and then this metric is left out. */
  readonly read: () => readonly Sample[] | Promise<readonly Sample[]>
}

/** The media type of what `toMetricsText` writes. */
export const metricsType = 'text/plain; version=0.0.4; charset=utf-8'

/**
 * Writes metrics in the text format of Prometheus, version 0.0.4. A metric that cannot be read is reported and left
 * out, because monitoring needs the others most when something fails.
 */
export async function toMetricsText(metrics: readonly Metric[], report: (error: unknown) => void): Promise<string> {
  const families = await Promise.all(
    metrics.map(async (metric) => {
      try {
        return toFamily(metric, await metric.read())
      } catch (error) {
        report(error)
        return ''
      }
    }),
  )
  return families.join('')
}

function toFamily({ name, help, type }: Metric, samples: readonly Sample[]): string {
  if (samples.length === 0) return ''
  const lines = samples.map(
    ({ suffix = '', labels, value }) => `${name}${suffix}${toLabels(labels)} ${toNumber(value)}`,
  )
  return [`# HELP ${name} ${escapeHelp(help)}`, `# TYPE ${name} ${type}`, ...lines, ''].join('\n')
}

function toLabels(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escapeHelp(value).replaceAll('"', '\\"')}"`)
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`
}

const escapeHelp = (text: string): string => text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')

const toNumber = (value: number): string => (Number.isFinite(value) ? String(value) : value > 0 ? '+Inf' : 'NaN')
