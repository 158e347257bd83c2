import { showUnits, symbolOf } from '../core/assets.ts'
import { type Html, html, type Part } from '../core/html.ts'
import type { OpenPayment, ShownSale } from '../operator/payment-states.ts'
import { type SalesReport, toConversion } from '../operator/sales-report.ts'
import { toDayChart } from './day-chart.ts'
import { toPage } from './frame.ts'
import { ends, figure, moment, money, paid, table } from './parts.ts'

interface Shown {
  readonly token: string
  /** Everything that needs the operator's attention, a sentence each. */
  readonly troubles: readonly string[]
  readonly days: number
  /** The digest of the ledger (`ChangeWatch.mark`) from before the data was read. */
  readonly mark: string
  readonly report: SalesReport
  readonly newest: readonly ShownSale[]
  readonly open: { readonly count: number; readonly payments: readonly OpenPayment[] }
  readonly doubted: readonly ShownSale[]
}

/** The periods to choose from, in days. */
export const spans = [7, 30, 90, 365] as const

const toTroubles = ({ troubles }: Shown): Part =>
  troubles.length > 0 &&
  html`<section class="troubles" aria-labelledby="troubles">
<h2 id="troubles">Needs attention</h2>
<ul>${troubles.map((trouble) => html`<li>${trouble}</li>`)}</ul>
</section>`

const toFacts = ({ report, open, doubted }: Shown): Html => {
  const { total, refunded, reversed, others } = report
  const facts: (readonly [string, string])[] = [
    ['Revenue', money(total.micros)],
    ['Sales', String(total.sales)],
    ...others.map(
      ({ asset, sales, units }) => [`In ${symbolOf(asset)}`, `${showUnits(units, asset)} (${sales})`] as const,
    ),
    ['Quotes', String(total.quotes)],
    ['Bought, of quotes', toConversion(total) ?? 'nobody asked'],
    ['Sent back', `${money(refunded.micros)} (${refunded.count})`],
    ['Lost on the chain', `${money(reversed.micros)} (${reversed.count})`],
    ['Open or doubted now', String(open.count + doubted.length)],
  ]
  return html`<dl class="facts">${facts.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`
}

const toProducts = ({ products }: SalesReport): Html =>
  table(
    'Sales by product',
    ['Product', figure('Quotes'), figure('Sales'), figure('Bought'), figure('Revenue'), figure('Atomic units')],
    products.map((sum) => [
      html`<code>${sum.product}</code>`,
      sum.quotes,
      sum.sales,
      toConversion(sum) ?? '–',
      money(sum.micros),
      String(sum.micros),
    ]),
  )

/** Link to the refund page of a sale. */
const refundLink = ({ receipt, isRefunded }: Pick<ShownSale, 'receipt' | 'isRefunded'>): Html =>
  html`<a href="/operator/refunds/${receipt}">${isRefunded ? 'Refunded' : 'Refund'}<span class="unseen"> ${receipt}</span></a>`

/** A table of sales, in the order given. */
export const toSales = (caption: string, sales: readonly ShownSale[]): Html =>
  table(
    caption,
    ['Time (UTC)', 'Product', figure('Amount'), 'Payer', 'Receipt', 'Money back'],
    sales.map((sale) => [
      moment(sale.settledAt),
      html`<code>${sale.product}</code>`,
      paid(sale),
      ends(sale.payer),
      html`<a href="/receipts/${sale.receipt}">${ends(sale.receipt)}</a>`,
      refundLink(sale),
    ]),
  )

/** The page of sales, which is updated as they happen. */
export function toSalesPage(shown: Shown): Html {
  const { token, days, mark, report, newest } = shown
  return toPage({
    title: 'Sales',
    place: '/operator',
    token,
    isLive: true,
    body: html`${toTroubles(shown)}
<nav class="spans" aria-label="How many days">${spans.map((span) => html`<a href="/operator?days=${span}"${span === days && html` aria-current="true"`}>${span} days</a> `)}</nav>
<div id="live" data-live="/operator/events?since=${mark}">
${toFacts(shown)}
${toDayChart(report)}
<h2>By product</h2>
${report.products.length === 0 ? html`<p>Nobody has asked for a price yet.</p>` : toProducts(report)}
<h2>The newest sales</h2>
${newest.length === 0 ? html`<p>There is none yet.</p>` : toSales('The newest sales', newest)}
</div>
<p class="fine" role="status" data-live-status></p>
<h2>For the tax office</h2>
<form class="row" method="get" action="/operator/sales.csv">
<div><label for="from">From</label><input id="from" name="from" type="date" required value="${report.days.at(0)?.date}"></div>
<div><label for="to">To, that day included</label><input id="to" name="to" type="date" required value="${report.days.at(-1)?.date}"></div>
<button>Download as CSV</button>
</form>
<p class="fine">One line for each sale, each refund, and each sale that the chain has lost. Amounts are atomic units of the asset (of USDC: millionths of a dollar); what went back is negative.</p>`,
  })
}
