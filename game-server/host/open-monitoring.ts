import type { Config } from '../../src/config/config.ts'
import type { Log } from '../../src/core/log.ts'
import { openHealth } from '../../src/health/open-health.ts'
import { returnMemory } from '../../src/http/return-memory.ts'
import { watchEventLoop } from '../../src/http/watch-event-loop.ts'
import { makeFacilitatorMetric } from '../../src/metrics/facilitator-metric.ts'
import { makeLedgerMetrics } from '../../src/metrics/ledger-metrics.ts'
import type { Metric } from '../../src/metrics/metric.ts'
import { makeMetricsAnswer } from '../../src/metrics/metrics-answer.ts'
import { makePaymentMetrics } from '../../src/metrics/payment-metrics.ts'
import { openProcessMetrics } from '../../src/metrics/process-metrics.ts'
import { openQuoteCounter } from '../../src/payments/count-quotes.ts'
import { makeFindTemplate } from '../../src/routes/find-template.ts'
import type { LedgerDatabase } from '../../src/storage/open-ledger-database.ts'
import { openTracing } from '../../src/tracing/open-tracing.ts'
import { storeProducts } from '../store/products.ts'

interface Options {
  readonly config: Config
  readonly ledger: LedgerDatabase
  readonly now: () => number
  readonly log: Log
  readonly report: (error: unknown) => void
}

/** Opens what tells the operator how the game host is doing: health checks, metrics, tracing, and its load. */
export function openMonitoring({ config, ledger, now, log, report }: Options) {
  const health = openHealth({ config, log })
  const loop = watchEventLoop({ onChange: (isBusy, delayMs) => log('server.busy', { isBusy, delayMs }) })
  const products = storeProducts.map(({ offer }) => offer.id)
  const payments = makePaymentMetrics({ products: () => products })
  const quotes = openQuoteCounter({ db: ledger, now, report })
  const processMetrics = openProcessMetrics()
  const routeOf = makeFindTemplate('game', () => [])
  const tracing = openTracing({ config: config.tracing, program: 'farthing-game', routeOf, log })
  const memory = returnMemory()
  return {
    health,
    isOverloaded: loop.isBusy,
    /** What is counted of payments for the metrics. */
    counted: payments.meters,
    /** The same, with the quotes that the ledger counts. */
    meters: quotes.along(payments.meters),
    trace: tracing.trace,
    listen: tracing.listen,
    /** Answers `/metrics`, with the metrics of the game. */
    makeAnswer: (game: readonly Metric[]) =>
      makeMetricsAnswer({
        metrics: [
          ...processMetrics.metrics,
          ...payments.metrics,
          makeFacilitatorMetric(health.findings),
          ...makeLedgerMetrics(ledger),
          ...game,
        ],
        token: config.metricsToken(),
        report,
      }),
    /** Call it after the last request and before the ledger is closed: sends and writes what is left. */
    async close(): Promise<void> {
      await tracing.close()
      await quotes.close()
      loop.close()
      memory.close()
      processMetrics.close()
    },
  }
}
