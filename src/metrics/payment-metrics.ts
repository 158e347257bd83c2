import { isTestNetwork } from '../core/networks.ts'
import type { PaymentMeters } from '../payments/meters.ts'
import type { SaleEvent } from '../payments/settlement/sale-event.ts'
import { makeCounter } from './counter.ts'
import { makeHistogram } from './histogram.ts'
import type { Metric } from './metric.ts'

/** The names of all events, in the order in which they are reported. */
const eventNames = Object.keys({
  'sale.settled': 0,
  'sale.pending': 0,
  'sale.failed': 0,
  'sale.doubted': 0,
  'sale.reversed': 0,
} satisfies Record<SaleEvent['event'], 0>)

interface Counted {
  /** Ids of the products that are for sale now. */
  readonly products: () => readonly string[]
}

/** Counts and times payments from now on. A sale counts once, when it is first recorded; test networks do not count. */
export function makePaymentMetrics({ products }: Counted): {
  readonly meters: PaymentMeters
  readonly metrics: readonly Metric[]
} {
  const quotes = makeCounter(
    { name: 'farthing_quotes_total', help: 'Answers 402 with terms, by product.' },
    'product',
    products,
  )
  const sales = makeCounter({ name: 'farthing_sales_total', help: 'Sales, by product.' }, 'product', products)
  const revenue = makeCounter(
    { name: 'farthing_sales_micro_usd_total', help: 'What was sold for USDC, in millionths of a dollar, by product.' },
    'product',
    products,
  )
  const events = makeCounter(
    { name: 'farthing_payment_events_total', help: 'What became of payments, by the name of the event in the log.' },
    'event',
    () => eventNames,
  )
  const facilitator = makeHistogram<'facilitator' | 'operation' | 'answer'>({
    name: 'farthing_facilitator_seconds',
    help: 'How long a facilitator took to answer verify and settle.',
  })
  const settlement = makeHistogram<'event'>({
    name: 'farthing_settlement_seconds',
    help: 'From asking for the money until the chain showed what became of it, or the buyer was told to come back.',
  })
  return {
    metrics: [quotes, sales, revenue, events, facilitator, settlement].map(({ metric }) => metric),
    meters: {
      quoted: (offerId) => quotes.add(offerId),
      asked: (name, operation, answer, seconds) =>
        facilitator.observe({ facilitator: name, operation, answer }, seconds),
      told({ event, offerId, amountMicroUsd, other, network, tookMs }) {
        if (network !== undefined && isTestNetwork(network)) return
        events.add(event)
        if (tookMs !== undefined) settlement.observe({ event }, tookMs / 1000)
        if (event !== 'sale.settled' && event !== 'sale.doubted') return
        sales.add(offerId)
        // Exact up to nine billion dollars. Sales for another token have no amount in dollars.
        if (!other) revenue.add(offerId, Number(amountMicroUsd))
      },
    },
  }
}
