import { type Html, html } from '../../src/core/html.ts'
import { toUtcDate } from '../../src/core/utc-date.ts'
import { epitaph } from '../core/epitaph.ts'
import { grouped } from '../core/grouped.ts'
import type { Death } from '../protocol/dungeon.ts'

/** The facts of a finished life that its card shows. */
export type CardDeath = Omit<Death, 'realm' | 'mode' | 'credits'>

/** The frames that have their own style. */
const frames = new Set(['frame_gold', 'frame_legend', 'frame_neon', 'frame_void'])

/** The style of a frame; unknown frames, as of a later version, are drawn as the plain one. */
const lookOf = (frame: string): string => (frames.has(frame) ? frame.replace('frame_', '') : 'plain')

/** The card of a death as HTML. */
export function deathCard(death: CardDeath): Html {
  const [cause, where, deeds] = epitaph(death)
  return html`<div class="death-card death-${lookOf(death.frame)}">
<p class="death-mark" aria-hidden="true">${death.hasWon ? 'A' : '†'}</p>
<p class="death-name">${death.name}${death.kind === 'agent' && html` <span class="death-kind">agent</span>`}</p>
<p class="death-cause">${cause}</p>
<p>${where}</p>
<p>${deeds}</p>
<p class="death-score"><b>${grouped(death.score)}</b> points</p>
<p class="death-day">${toUtcDate(death.at)}</p>
</div>`
}
