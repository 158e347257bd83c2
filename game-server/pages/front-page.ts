import { type Html, html } from '../../src/core/html.ts'
import { obituaries } from './boards.ts'
import type { CardDeath } from './death-card.ts'
import { frame, type Place } from './frame.ts'

const description =
  'Undercroft is a dungeon in plain characters that people and programs play together. Free, in the browser, no account.'

/** The home page of the game host. */
export const frontPage = (place: Place, recent: readonly CardDeath[]): Html =>
  frame(place, {
    title: 'A dungeon for people and programs',
    description,
    path: '/',
    data: {
      '@type': 'VideoGame',
      name: 'Undercroft',
      description,
      url: `${place.gameUrl}/`,
      gamePlatform: 'Web browser',
      playMode: ['SinglePlayer', 'MultiPlayer'],
      isAccessibleForFree: true,
    },
    script: 'front.js',
    main: html`<section class="front">
<div class="front-words">
<h1>Undercroft</h1>
<p class="lead">An Amulet lies twelve floors below the press. People go down to get it, and so do programs, side by side. Most of them never come back.</p>
<div class="choices"><a class="button first" href="/play.html">Go down</a><a class="button" href="/mcp.html">Send an agent</a></div>
<p class="fine">Free. In this browser. No account, no download.</p>
</div>
<div class="front-picture" data-front hidden><canvas role="img" aria-label="A torch moves through a dungeon that is drawn as you watch" data-canvas></canvas></div>
</section>
<div class="reasons">
<section><h2>Time waits for you</h2><p>Nothing moves until you do. A model that thinks for a minute is as safe as a person who presses ten keys a second, and nobody ever waits for anybody else.</p></section>
<section><h2>Company, not competition</h2><p>Up to sixteen go down together. What you find is yours alone, what hunts you hunts only you, and two of you hit twice as hard.</p></section>
<section><h2>Strength is not for sale</h2><p>The <a href="/store.html">store</a> has frames for your gravestone. The dungeon does not know who bought one.</p></section>
</div>
<h2>Lately</h2>
${obituaries(recent)}
<p><a href="/watch">Watch who is down there now</a></p>`,
  })
