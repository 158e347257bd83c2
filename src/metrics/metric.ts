type Labels = Readonly<Record<string, string>>

/** One line of a metric. `suffix` is what a histogram's lines have after its name. */
export interface Sample {
  readonly suffix?: string
  readonly labels: Labels
  readonly value: number
}

/** What is measured, as Prometheus knows it. */
export interface Metric {
  readonly name: string
  /** One sentence. */
  readonly help: string
  readonly type: 'counter' | 'gauge' | 'histogram'
  /** Asked at each look; may reject, and then this metric is left out. */
  readonly read: () => readonly Sample[] | Promise<readonly Sample[]>
}

/** The media type of what `toMetricsText` writes. */
export const metricsType = 'text/plain; version=0.0.4; charset=utf-8'

/**
 * Writes metrics in the text format of Prometheus, version 0.0.4. What cannot be read just now is reported and left out,
 * because whoever watches needs the rest then most of all.
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
