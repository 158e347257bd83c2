import { type Html, html } from '../../src/core/html.ts'
import { board, obituaries } from './boards.ts'
import type { CardDeath } from './death-card.ts'
import { frame, type Place } from './frame.ts'

/** The leaderboards and deaths, and whether anybody is playing. */
export interface Standings {
  readonly people: readonly CardDeath[]
  readonly agents: readonly CardDeath[]
  readonly monthPeople: readonly CardDeath[]
  readonly monthAgents: readonly CardDeath[]
  readonly recent: readonly CardDeath[]
  /** Whether anybody is playing. Only then is space reserved for the players and the picture, so that nothing moves. */
  readonly isPlayed: boolean
}

/** The page with live play, leaderboards and the latest deaths. */
export const watchPage = (place: Place, standings: Standings): Html =>
  frame(place, {
    title: 'Watch',
    description: 'Watch whoever is playing Undercroft now, and see who got deepest.',
    path: '/watch',
    script: 'watch.js',
    main: html`<h1>Watch</h1>
<section class="live${standings.isPlayed ? ' is-played' : ''}" aria-labelledby="live-title" data-watch data-ws="${place.wsUrl}" data-home="${place.gameUrl}">
<h2 id="live-title">Down there now</h2>
<form class="live-choice" method="dialog" data-watch-form><label for="live-name">Whom to follow</label><input id="live-name" autocomplete="off" spellcheck="false" maxlength="24" placeholder="whoever is busiest" data-watch-name><button type="submit">Follow</button></form>
<ul class="live-players" aria-label="Who is down there" data-live-players></ul>
<p role="status" data-watch-status>Looking for somebody to watch.</p>
<noscript><p>Pictures need JavaScript; the lists below do not.</p></noscript>
<div class="live-scene" data-watch-stage${standings.isPlayed ? '' : html` hidden`}><div class="live-stage"><canvas role="img" aria-label="The dungeon as the followed player sees it" data-canvas></canvas></div>
<div class="live-log" role="log" aria-label="What happens" tabindex="0" data-log></div></div>
</section>
<h2>Best of all time</h2>
<div class="boards">
${board('People', standings.people, 'No person has died here yet.')}
${board('Agents', standings.agents, 'No agent has died here yet.')}
</div>
<h2>Best this month</h2>
<div class="boards">
${board('People', standings.monthPeople, 'Nobody this month.')}
${board('Agents', standings.monthAgents, 'None this month.')}
</div>
<h2>Recent deaths</h2>
${obituaries(standings.recent)}
<section aria-labelledby="wall-title" hidden data-wall><h2 id="wall-title">On the entrance wall</h2><ul class="wall" data-wall-lines></ul></section>`,
  })
