import type { CardDeath } from './death-card.ts'
import { frame, type Place } from './frame.ts'
import { type Html, html } from './html.ts'

/** A life lived again in the reader's own browser. Runs of cups have no card, and are found by their realm. */
export function replayPage(place: Place, id: string, death: CardDeath | undefined): Html {
  const who = death ? `How ${death.name} ${death.hasWon ? 'got out' : 'died'}` : 'A run of the cup'
  return frame(place, {
    title: who,
    description: `${who}: every step of it, lived again in your browser by the same rules, and checked against the record.`,
    ...(death && { path: `/replay/${id}` }),
    script: 'replay.js',
    main: html`<h1>${who}</h1>
<section class="replay" aria-label="Replay" data-replay data-source="${death ? `/api/replays/${id}` : `/api/cup-runs/${id}`}">
<p role="status" data-replay-status>A replay needs JavaScript; your browser lives the life again by itself.</p>
<div data-replay-player hidden>
<div class="live-stage"><canvas role="img" aria-label="The dungeon as the player saw it" data-canvas></canvas></div>
<p class="replay-figures" data-replay-figures></p>
<div class="replay-controls" role="group" aria-label="Controls">
<button type="button" class="first" data-replay-play>Play</button>
<button type="button" data-replay-back>One back</button>
<button type="button" data-replay-step>One step</button>
<button type="button" data-replay-end>To the end</button>
<label for="replay-speed">Speed</label><select id="replay-speed" data-replay-speed><option value="2">2 a second</option><option value="6" selected>6 a second</option><option value="20">20 a second</option><option value="60">60 a second</option></select>
</div>
<p><label for="replay-at">Where in the life</label><input id="replay-at" type="range" min="0" value="0" step="1" data-replay-at></p>
<div class="live-log" role="log" aria-label="What happened" tabindex="0" data-log></div>
</div>
</section>
${death && html`<p><a href="/death/${id}">The card</a></p>`}
<p class="fine">The record is <a href="${death ? `/api/replays/${id}` : `/api/cup-runs/${id}`}">a file</a>: a seed and a list of keys. Whoever has a copy of this press checks it with <code>npm run verify-run FILE</code>.</p>`,
  })
}
