import { type Html, html } from '../../src/core/html.ts'
import { toUtcDate } from '../../src/core/utc-date.ts'
import { grouped } from '../core/grouped.ts'
import type { CardDeath } from './death-card.ts'

/** A leaderboard as a table; `empty` is shown when it has no lives. */
export const board = (title: string, deaths: readonly CardDeath[], empty: string): Html => html`<section class="board">
<h3>${title}</h3>
${
  deaths.length === 0
    ? html`<p class="faded">${empty}</p>`
    : html`<table>
<thead><tr><th scope="col">#</th><th scope="col">Name</th><th scope="col" class="number">Depth</th><th scope="col" class="number">Score</th></tr></thead>
<tbody>${deaths.map(
        (death, at) =>
          html`<tr><td>${at + 1}</td><td><a href="/death/${death.id}">${death.name}</a>${death.hasWon && html` <span class="won">escaped</span>`}</td><td class="number">${death.depth}</td><td class="number">${grouped(death.score)}</td></tr>`,
      )}</tbody>
</table>`
}
</section>`

/** The list of the latest deaths. */
export const obituaries = (deaths: readonly CardDeath[]): Html =>
  deaths.length === 0
    ? html`<p class="faded">Nobody yet. The first grave is the roomiest.</p>`
    : html`<ul class="obituaries">${deaths.map(
        (death) =>
          html`<li><a href="/death/${death.id}">${death.name}</a>${death.kind === 'agent' && html` <span class="kind">agent</span>`} <span>${death.cause}</span> <span class="faded">depth ${death.depth}, ${toUtcDate(death.at)}</span></li>`,
      )}</ul>`
