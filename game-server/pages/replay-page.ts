import { type Html, html } from '../../src/core/html.ts'
import { frame, type Place } from './frame.ts'

/** The life that is replayed, and the path of its record. */
export interface Replayed {
  readonly id: string
  readonly name: string
  readonly hasWon: boolean
  /** Lives have a card to link to; cup runs link to the page of the cup. */
  readonly record: `/api/${'replays' | 'cup-runs'}/${string}`
}

/** The page that replays a life in the reader's browser. */
export function replayPage(place: Place, { id, name, hasWon, record }: Replayed): Html {
  const who = `How ${name} ${hasWon ? 'got out' : 'died'}`
  return frame(place, {
    title: who,
    description: `${who}: every step of it, replayed in your browser by the same rules, and checked against the record.`,
    path: `/replay/${id}`,
    script: 'replay.js',
    main: html`<h1>${who}</h1>
<section class="replay" aria-label="Replay" data-replay data-source="${record}">
<noscript><p>A replay needs JavaScript, because your browser plays the life again by itself.</p></noscript>
<p role="status" data-replay-status></p>
<div class="replay-player waits" data-replay-player>
<div class="live-stage"><canvas role="img" aria-label="The dungeon as the player saw it" data-canvas></canvas></div>
<p class="replay-figures" data-replay-figures></p>
<div class="replay-controls" role="group" aria-label="Controls">
<button type="button" class="first" data-replay-play>Play</button>
<button type="button" data-replay-back>One back</button>
<button type="button" data-replay-step>One step</button>
<button type="button" data-replay-end>To the end</button>
<label for="replay-speed">Speed</label><select id="replay-speed" data-replay-speed><option value="2">2 a second</option><option value="6" selected>6 a second</option><option value="20">20 a second</option><option value="60">60 a second</option></select>
</div>
<p><label for="replay-at">Position in the life</label><input id="replay-at" type="range" min="0" value="0" step="1" data-replay-at></p>
<div class="live-log" role="log" aria-label="What happened" tabindex="0" data-log></div>
</div>
</section>
<p>${record.startsWith('/api/replays') ? html`<a href="/death/${id}">The card</a>` : html`<a href="/cup">The cup</a>`}</p>
<p class="fine">The record is <a href="${record}">a file</a>: a seed and a list of keys. If you have a copy of this press, you can check it with <code>npm run verify-run FILE</code>.</p>`,
  })
}
