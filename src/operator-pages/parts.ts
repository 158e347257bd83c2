import { type Html, html, type Part } from '../core/html.ts'
import { toDisplay } from '../core/money.ts'

/** An amount of micro-USD in dollars, for people. */
export const money = (micros: bigint | string): string => {
  const amount = BigInt(micros)
  return amount < 0n ? `−${toDisplay(-amount)}` : toDisplay(amount)
}

/** An amount of micro-USD in dollars, marked when it was paid on a test network. */
export const paid = ({ amount, isTest }: { readonly amount: string; readonly isTest: boolean }): Part =>
  isTest ? `${money(amount)} test` : money(amount)

/** A time in UTC to the second, for people and for programs. */
export const moment = (ms: number): Html => {
  const text = new Date(ms).toISOString()
  return html`<time datetime="${text}">${text.slice(0, 19).replace('T', ' ')}</time>`
}

/** The beginning and end of a text that is too long for a table, with the whole text as tooltip. */
export const ends = (text: string): Html =>
  html`<code title="${text}">${text.length > 20 ? `${text.slice(0, 8)}…${text.slice(-6)}` : text}</code>`

const units = ['bytes', 'kB', 'MB', 'GB', 'TB']

/** Bytes for people, in powers of a thousand. */
export function size(bytes: number): string {
  const power = bytes < 1000 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3))
  return `${(bytes / 1000 ** power).toFixed(power === 0 ? 0 : 1)} ${units[power]}`
}

interface Column {
  readonly name: string
  readonly isFigure?: boolean
}

/** A column of numbers. */
export const figure = (name: string): Column => ({ name, isFigure: true })

/** A table that scrolls within its own region when it is wider than the page. */
export const table = (
  caption: string,
  columns: readonly (Column | string)[],
  rows: readonly (readonly Part[])[],
): Html => {
  const named = columns.map((column) => (typeof column === 'string' ? { name: column } : column))
  const cls = (at: number): Part => named[at]?.isFigure && html` class="figure"`
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${caption}"><table>
<caption>${caption}</caption>
<thead><tr>${named.map(({ name }, at) => html`<th scope="col"${cls(at)}>${name}</th>`)}</tr></thead>
<tbody>${rows.map(
    (cells) => html`<tr>${cells.map((cell, at) => html`<td${cls(at)}>${cell}</td>`)}</tr>
`,
  )}</tbody>
</table></div>`
}

/** The message about the last form; nothing when there is none. */
export const notice = (text: string | undefined): Part =>
  text !== undefined && html`<p class="notice" role="status">${text}</p>`

/** The hidden field of every form with the session's form token, which proves that one of our pages made the form. */
export const formToken = (token: string): Html => html`<input type="hidden" name="token" value="${token}">`
