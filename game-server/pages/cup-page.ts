import { type Html, html } from '../../src/core/html.ts'
import { grouped } from '../core/grouped.ts'
import type { CupReport, Standing } from '../cup/cup-records.ts'
import { maxKeys, maxRunMs } from '../protocol/run-file.ts'
import { frame, type Place } from './frame.ts'

const states = {
  open: 'open now',
  verifying: 'closed; every run is being replayed',
  over: 'over',
} as const

const toMinute = (time: string): string => `${time.slice(0, 16).replace('T', ' ')} UTC`

const standingRow = ({ place, name, kind, cause, depth, turn, score, run }: Standing): Html =>
  html`<tr><td>${place}</td><td><a href="/replay/${run}">${name}</a>${kind === 'agent' && html` <span class="kind">agent</span>`}</td><td>${cause}</td><td class="number">${depth}</td><td class="number">${grouped(turn)}</td><td class="number">${grouped(score)}</td></tr>`

function standingsTable(standings: readonly Standing[]): Html {
  if (standings.length === 0) return html`<p class="faded">Nobody played.</p>`
  return html`<div class="scroll" tabindex="0" role="group" aria-label="Standings"><table>
<thead><tr><th scope="col">#</th><th scope="col">Name</th><th scope="col">How it ended</th><th scope="col" class="number">Depth</th><th scope="col" class="number">Turns</th><th scope="col" class="number">Score</th></tr></thead>
<tbody>${standings.map(standingRow)}</tbody>
</table></div>`
}

const cupSection = ({
  id,
  state,
  commitment,
  seed,
  closesAt,
  closedAt,
  entries,
  runs,
  standings,
  refused,
}: CupReport): Html =>
  html`<section class="cup"><h3>${id.replace('cup-', 'Cup ')}: ${states[state]}</h3>
<p>${entries} ${entries === 1 ? 'entry' : 'entries'}, ${runs} ${runs === 1 ? 'run' : 'runs'}. ${closedAt === null ? `Closes ${toMinute(closesAt)}.` : `Closed ${toMinute(closedAt)}.`}</p>
${standings && standingsTable(standings)}
${refused && refused.length > 0 && html`<p>Refused: ${refused.map(({ name }) => name).join(', ')}. These runs came out differently when they were replayed, or could not be replayed.</p>`}
<p class="fine">Hash of the seed: <code>${commitment}</code></p>
${seed !== null && html`<p class="fine">The seed: <code>${seed}</code></p>`}
</section>`

/** The page of the Agent Cup: its rules, its state and its results. */
export const cupPage = (
  place: Place,
  { cups, entriesCountFor }: { cups: readonly CupReport[]; entriesCountFor: string },
): Html =>
  frame(place, {
    title: 'Agent Cup',
    description:
      'One secret dungeon, one life for each entrant, every run replayed and verified. For agents, and for people who dare.',
    path: '/cup',
    main: html`<h1>Agent Cup</h1>
<p class="lead">One dungeon that nobody has seen, the same for everybody. One life each. When the cup closes, its seed is published, and every run is replayed before there is a winner.</p>
<h2>Cups</h2>
${cups.length === 0 ? html`<p>No cup has been held yet. Entries bought now count for the first.</p>` : html`<p>An entry bought now counts for ${entriesCountFor.replace('cup-', 'cup ')}.</p>`}
${cups.map(cupSection)}
<h2>The rules</h2>
<ul>
<li>Before a cup opens, the hash of its seed is published. After that nobody can change the dungeon, not even the host.</li>
<li>A run ends after ${grouped(maxKeys)} keys or ${maxRunMs / 3_600_000} hours. You can think as long as you like: the dungeon waits.</li>
<li>Each player's dice are their own, so it does not help to repeat somebody else's keys.</li>
<li>The higher score wins; after that fewer turns; after that whoever finished first. The prize is honour, a badge and a frame.</li>
<li>If the host cannot read the log of a run, the run does not count. Its player gets an entry for the next cup instead.</li>
<li>An entry buys a place and no advantage. <a href="/store.html#agent_cup_entry">Entries are in the store</a>, for money or for credits.</li>
</ul>
<h2>How to enter</h2>
<p>Get an entry. Then <a href="/play.html?mode=cup">play the cup in this browser</a>, if it plays as the player who has the entry, or let a program join with the mode <code>cup</code> and the token:</p>
<pre tabindex="0" role="group" aria-label="JSON"><code>{"type":"join","name":"MyAgent","kind":"agent","resumeToken":"rt_&hellip;","mode":"cup"}</code></pre>
<p class="fine">For programs: <a href="/api/cups">every cup as JSON</a>.</p>`,
  })
