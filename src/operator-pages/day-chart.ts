import { type Html, html } from '../core/html.ts'
import type { SalesReport } from '../operator/sales-report.ts'
import { figure, money, table } from './parts.ts'

/** Height of a bar in percent, at least 10 for any revenue, so that a single sale is visible beside hundreds. */
const heightOf = (micros: bigint, most: bigint): number =>
  micros === 0n ? 0 : 10 + Number((90_000n * micros) / most) / 1000

/** The revenue of each day, as a bar chart and as a table. */
export function toDayChart({ days, total }: Pick<SalesReport, 'days' | 'total'>): Html {
  let most = 1n
  for (const { micros } of days) if (micros > most) most = micros
  const best = days.find(({ micros }) => micros === most)
  const day = best?.date ?? 'no day'
  const one = `1 sale brought ${money(total.micros)}, on ${day}.`
  const many = `${total.sales} sales brought ${money(total.micros)}; most came on ${day}, with ${money(most)}.`
  const summary = total.sales === 0 ? 'No sales in this period.' : total.sales === 1 ? one : many
  const [first, last] = [days.at(0), days.at(-1)]
  return html`<figure class="chart">
<svg viewBox="0 0 ${days.length} 100" preserveAspectRatio="none" role="img" aria-label="Revenue per day. ${summary}">
${days.map(({ micros }, at) => {
  const height = heightOf(micros, most)
  return html`<rect class="chart-day" x="${at + 0.12}" y="0" width="0.76" height="100"/><rect class="chart-bar" x="${at + 0.12}" y="${100 - height}" width="0.76" height="${height}"/>`
})}
</svg>
<p class="chart-axis" aria-hidden="true"><span>${first?.date}</span><span>${last?.date}</span></p>
<figcaption>${summary}</figcaption>
<details id="days">
<summary>All figures</summary>
${table(
  'Sales by UTC day',
  ['Day', figure('Quotes'), figure('Sales'), figure('Revenue')],
  days.toReversed().map(({ date, quotes, sales, micros }) => [date, quotes, sales, money(micros)]),
)}
</details>
</figure>`
}
