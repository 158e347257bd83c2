import { readFileSync } from 'node:fs'
import { parser } from '@prometheus-io/lezer-promql'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { makeGameMetrics } from '../../game-server/host/game-metrics.ts'
import { jobTable } from '../../src/jobs/job-table.ts'
import { makeLedgerMetrics } from '../../src/metrics/ledger-metrics.ts'
import { makePaymentMetrics } from '../../src/metrics/payment-metrics.ts'
import { openProcessMetrics } from '../../src/metrics/process-metrics.ts'
import { makeSiteMetrics } from '../../src/site/site-metrics.ts'
import { type RunningGameHost, startGameHost } from '../support/game-host.ts'
import { openTestLedger } from '../support/test-databases.ts'

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')
const namesIn = (text: string) => new Set(text.match(/\b(?:farthing|process)_[a-z_]+/g))

const alerts = [...read('deploy/alerts.yml').matchAll(/- alert: (\w+)[\s\S]*?\n {8}expr: (.*)/g)].map(
  ([, name = '', expression = '']) => ({ name, expression }),
)

/** The fields that Grafana requires of a dashboard in this version of the format. */
const dashboardSchema = z.object({
  uid: z.literal('farthing'),
  schemaVersion: z.literal(39),
  templating: z.object({ list: z.array(z.looseObject({})) }),
  panels: z.array(
    z.looseObject({
      id: z.int().positive(),
      type: z.enum(['row', 'stat', 'timeseries']),
      title: z.string().min(1),
      gridPos: z.object({ x: z.int(), y: z.int(), w: z.int().max(24), h: z.int() }),
      targets: z
        .array(
          z.looseObject({
            refId: z.string(),
            expr: z.string(),
            datasource: z.object({ type: z.literal('prometheus'), uid: z.literal(`\${datasource}`) }),
          }),
        )
        .optional(),
    }),
  ),
})
const dashboard = dashboardSchema.parse(JSON.parse(read('deploy/dashboard.json')))
/** The dashboard's expressions, with the time range that Grafana would insert. */
const shown = dashboard.panels.flatMap(({ targets = [] }) =>
  targets.map(({ expr }) => expr.replaceAll(/\$__(?:rate_interval|range)\b/g, '5m')),
)

/** Where the PromQL parser finds a syntax error. */
function faultsIn(expression: string): string[] {
  const faults: string[] = []
  parser.parse(expression).iterate({
    enter({ type, from, to }) {
      if (type.isError) faults.push(`${from} to ${to}`)
    },
  })
  return faults
}

/** Sizes and limits, which are above 0 whenever they are measured. */
const neverZero = ['farthing_disk_size_bytes', 'farthing_work_slots']

/**
 * Divisors of an expression that may be 0, for which Prometheus returns NaN or infinity and raises inexplicable alerts.
 * Numbers, sizes, and values that the expression compares with 0 are safe.
 */
function unsafeDivisorsIn(expression: string): string[] {
  const unsafe: string[] = []
  parser.parse(expression).iterate({
    enter({ type, node }) {
      const divisor = node.lastChild
      if (type.name !== 'BinaryExpr' || !divisor || !(node.getChild('Div') ?? node.getChild('Mod'))) return
      const text = expression.slice(divisor.from, divisor.to)
      const isNumber = divisor.name === 'NumberDurationLiteral' && Number(text) !== 0
      const isCompared = /^\(.* > 0\)$/.test(text) && divisor.getChild('BinaryExpr')?.getChild('Gtr')
      if (!isNumber && !isCompared && !neverZero.includes(text)) unsafe.push(text)
    },
  })
  return unsafe
}

/** Metrics that an expression uses and no program exports. A histogram has three series names. */
const strangersIn = (expression: string, known: ReadonlySet<string>): string[] =>
  [...namesIn(expression)].filter((name) => !known.has(name) && !known.has(name.replace(/_(?:bucket|sum|count)$/, '')))

/** The names of all metrics of both programs. */
async function allNames(gameHost: RunningGameHost): Promise<Set<string>> {
  const db = await openTestLedger()
  const ofProcess = openProcessMetrics()
  const metrics = [
    ...ofProcess.metrics,
    ...makePaymentMetrics({ products: () => [] }).metrics,
    ...makeLedgerMetrics(db),
    ...makeSiteMetrics({
      dataDir: '.',
      offers: () => [],
      slotsInUse: () => new Map(),
      underWay: () => 0,
      isSettling: () => true,
      findings: async () => [],
      endedRuns: async () => [],
      waitingWebhooks: async () => 0,
      waitingEmails: async () => 0,
    }),
    ...makeGameMetrics({ game: gameHost.game, db: gameHost.db, sockets: () => 0, underWay: () => 0 }),
  ]
  ofProcess.close()
  await db.destroy()
  return new Set(metrics.map(({ name }) => name))
}

describe('the names of metrics', () => {
  it('are all in the document for operators, which has no others', async () => {
    const gameHost = await startGameHost()
    const known = await allNames(gameHost)
    expect([...namesIn(read('docs/signals.md'))].toSorted()).toEqual([...known].toSorted())
    await gameHost.stop()
  })

  it('in alerts are exported, and so are the jobs and states that they use', async () => {
    const gameHost = await startGameHost()
    const known = await allNames(gameHost)
    expect(alerts.length).toBeGreaterThan(10)
    for (const { expression } of alerts) expect(strangersIn(expression, known), expression).toEqual([])
    const jobs: readonly string[] = jobTable.map(({ name }) => name)
    const named = alerts
      .flatMap(({ expression }) => [...expression.matchAll(/job="([a-z-]+)"/g)])
      .map(([, name]) => name)
    expect(named.filter((name) => name !== 'farthing' && !jobs.includes(name ?? ''))).toEqual([])
    await gameHost.stop()
  })

  it('in the dashboard are exported', async () => {
    const gameHost = await startGameHost()
    const known = await allNames(gameHost)
    for (const expression of shown) expect(strangersIn(expression, known), expression).toEqual([])
    // The dashboard is documented to show every metric.
    const seen = shown.join('\n')
    for (const name of known) if (name !== 'farthing_work_slots') expect(seen, name).toContain(name)
    await gameHost.stop()
  })
})

describe('a PromQL expression', () => {
  it.each([...alerts.map(({ expression }) => expression), ...shown])('is valid: %s', (expression) => {
    expect(faultsIn(expression)).toEqual([])
  })

  it('divides by nothing that is 0 while the shop is idle', () => {
    for (const expression of [...alerts.map(({ expression }) => expression), ...shown])
      expect(unsafeDivisorsIn(expression), expression).toEqual([])
  })

  it.each([
    'sum(rate(a_total[5m])) / sum(rate(b_total[5m]))',
    'a / (sum(rate(b_total[5m])))',
    'a/b > 0.5',
    'a / on(product) (b)',
    'a / ((b > 0) + c)',
    'a / (b > bool 0)',
    '1e6 % rate(b_total[5m])',
    'a / 2 / b > 0',
    'a / 0',
  ])('with an unsafe divisor would be found: %s', (expression) => {
    expect(unsafeDivisorsIn(expression)).not.toEqual([])
  })

  it('with a syntax error would be found', () => {
    for (const wrong of ['sum(rate(a_total[5m])', 'a{b=c}', 'rate(a_total[5 minutes])', 'sum by product (a)'])
      expect(faultsIn(wrong), wrong).not.toEqual([])
  })
})

describe('the dashboard', () => {
  it('has unique panel ids, no overlapping panels, and a data source that is chosen at import', () => {
    const { panels, templating } = dashboard
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length)
    const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, at) => `${x + (at % w)} ${y + Math.floor(at / w)}`),
    )
    expect(new Set(cells).size).toBe(cells.length)
    expect(Math.max(...panels.map(({ gridPos: { x, w } }) => x + w))).toBe(24)
    expect(templating.list).toMatchObject([{ name: 'datasource', type: 'datasource', query: 'prometheus' }])
    for (const { targets = [] } of panels) expect(new Set(targets.map(({ refId }) => refId)).size).toBe(targets.length)
  })
})

describe('an alert', () => {
  it('has an entry in the document for operators, which has no others', () => {
    const section = read('docs/day-two.md').split('### The rules of Prometheus')[1]?.split('\n## ')[0] ?? ''
    const entries = [...section.matchAll(/^\| `(\w+)` /gm)].map(([, name]) => name)
    expect(entries).toEqual(alerts.map(({ name }) => name))
  })
})
