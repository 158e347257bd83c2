import { type Html, html } from '../../src/core/html.ts'
import { playerNameInputPattern, playerNameRule } from '../../src/core/player-name.ts'
import { frame, type Place } from './frame.ts'

const meters = html`<div class="hud">
<a class="game-name" href="/">Undercroft</a>
<div class="health" role="meter" aria-label="Health" aria-valuemin="0" aria-valuemax="1" aria-valuenow="1" data-health><span class="health-fill"></span><span class="health-text" data-health-text></span></div>
<dl class="counts">
<div><dt>depth</dt><dd data-depth>1</dd></div>
<div><dt>gold</dt><dd data-gold>0</dd></div>
<div><dt>turn</dt><dd data-turn>0</dd></div>
<div><dt>score</dt><dd data-score>0</dd></div>
</dl>
<p class="statuses" data-statuses></p>
<p class="line-state" role="status" data-line></p>
<button type="button" class="menu-button" data-menu-open>Menu</button>
</div>`

const door = html`<section class="door" aria-labelledby="door-title" data-door>
<form class="door-form" method="dialog" data-door-form>
<h2 class="door-title" id="door-title">Undercroft</h2>
<p class="lead">Twelve floors, one Amulet, one life at a time. People and programs play side by side, and time moves only when you do.</p>
<label for="door-name">Your name in the game</label>
<input id="door-name" name="name" autocomplete="nickname" autocapitalize="off" spellcheck="false" maxlength="24" required pattern="${playerNameInputPattern}" title="${playerNameRule}" aria-describedby="door-rule" data-door-name>
<p class="fine" id="door-rule">Letters from A to Z, digits, - and _; at most 24. You need no account: this browser keeps the key to your name.</p>
<details><summary>I have a token</summary><label for="door-token">Token</label>
<input id="door-token" type="password" autocomplete="off" aria-describedby="door-token-rule" data-door-token>
<p class="fine" id="door-token-rule">From the menu on another device, or from the store. With it you play as the player whose token it is.</p></details>
<p class="door-refusal" role="alert" data-door-refusal></p>
<p class="fine" hidden data-door-former><span role="status" data-door-former-told></span> <button type="button" data-door-former-copy>Copy that key</button></p>
<noscript><p>The dungeon needs JavaScript in a browser. <a href="/mcp.html">Programs</a> play without it.</p></noscript>
<div class="choices">
<button type="submit" class="first">Go down</button>
<button type="button" data-door-text>Go down in text, for screen readers</button>
</div>
<p class="fine"><a href="/play.html?mode=daily">The dungeon of the day</a> &middot; <a href="/watch">Watch others first</a> &middot; <a href="/skill">How to survive</a> &middot; <a href="/mcp.html">Send an agent instead</a></p>
</form>
</section>`

const side = html`<div class="side">
<section class="in-view"><h2>In view</h2><ul tabindex="0" aria-label="In view" data-in-view></ul></section>
<section class="pack"><h2>Pack</h2><p class="worn" data-worn></p><ol data-pack></ol></section>
<section class="log"><h2>What happened</h2><div class="log-lines" role="log" aria-label="What happened" tabindex="0" data-log></div>
<form class="say" hidden data-say-form><label class="unseen" for="say">Say to the people in this dungeon</label><input id="say" maxlength="120" autocomplete="off" placeholder="Say something to the others" data-say><button type="submit">Say</button></form></section>
</div>`

const textMode = html`<section class="text-mode" aria-labelledby="text-title" hidden data-text-mode>
<h2 id="text-title">Where you are</h2>
<p data-text-status></p>
<p class="line-state" role="status" data-text-line></p>
<div class="text-news" role="log" aria-label="What happened" data-text-news></div>
<form data-text-form>
<label for="text-key">Your move: a word or a key</label>
<input id="text-key" autocomplete="off" autocapitalize="off" spellcheck="false" aria-describedby="text-hint" data-text-key>
<p class="fine" id="text-hint">For example north, o, rest or 1. Enter sends it; an empty line waits a turn. Or choose from the list below.</p>
<button type="submit">Do it</button>
</form>
<h2 id="text-ways">What you can do</h2>
<ul class="ways" aria-labelledby="text-ways" data-text-ways></ul>
<h2 id="text-view">What you see</h2>
<ul aria-labelledby="text-view" data-text-view></ul>
<h2 id="text-pack">What you carry</h2>
<ul aria-labelledby="text-pack" data-text-pack></ul>
<details><summary>The map as characters</summary><pre tabindex="0" role="group" aria-label="Map" data-text-map></pre></details>
<button type="button" data-text-leave>Back to the picture</button>
</section>`

const menu = html`<dialog class="sheet" aria-labelledby="menu-title" data-menu>
<form method="dialog"><h2 id="menu-title">Undercroft</h2><button class="close" aria-label="Close">&times;</button></form>
<div class="menu-part">
<button type="button" data-menu-text>Text mode, for screen readers</button>
<p><label for="menu-zoom">Size of the dungeon</label><input id="menu-zoom" type="range" min="0" max="8" step="1" data-menu-zoom></p>
<p><label class="tick"><input type="checkbox" data-menu-still> Calm picture: no flicker, no moving effects</label></p>
<p><label class="tick"><input type="checkbox" data-menu-hints> Hints while I learn</label></p>
</div>
<h3>Keys</h3>
<p><label class="tick"><input type="checkbox" data-menu-letters> Play with letters, digits and signs. If you turn them off, there are buttons for everything.</label></p>
<p class="fine">Choose a line, then press the new key for it. Backspace restores the original keys.</p>
<ul class="bindings" data-bindings></ul>
<h3>You</h3>
<p>You are <b data-menu-name></b>. Your token proves that on another device and in the <a href="/store.html">store</a>. Keep it secret.</p>
<div class="choices"><button type="button" data-menu-token>Copy my token</button><button type="button" data-menu-leave>Play under another name</button></div>
<p class="fine" role="status" data-menu-told></p>
<nav aria-label="Undercroft"><ul class="menu-links"><li><a href="/">Front page</a></li><li><a href="/watch">Watch</a></li><li><a href="/skill">How to survive</a></li><li><a href="/store.html">Store</a></li></ul></nav>
</dialog>`

const end = html`<dialog class="end" aria-labelledby="end-title" data-end>
<h2 id="end-title" data-end-title></h2>
<div class="death-card" data-end-card></div>
<p class="fine" data-end-credits></p>
<div class="choices"><button type="button" class="first" data-end-again>Again</button><a class="button" data-end-link>The card</a><button type="button" data-end-copy>Copy its link</button></div>
<p class="fine" role="status" data-end-told></p>
</dialog>`

/** The page on which the game is played. */
export const playPage = (place: Place): Html =>
  frame(place, {
    title: 'Play',
    description: 'Go down into the Undercroft: twelve floors of dungeon in the browser, alone or beside others. Free.',
    path: '/play.html',
    script: 'play.js',
    look: 'game',
    main: html`<div class="game-frame" data-ws="${place.wsUrl}" data-home="${place.gameUrl}" data-game>
<h1 class="unseen">Undercroft</h1>
${door}
<div class="table" data-table hidden>
${meters}
<div class="stage" data-stage>
<canvas tabindex="0" role="application" aria-label="The dungeon. Arrow keys walk, o explores, m opens the menu, where text mode is." data-canvas></canvas>
<p class="hint" role="status" data-hint></p>
</div>
${side}
<div class="pad" role="group" aria-label="Touch controls" data-pad></div>
</div>
${textMode}
</div>
${menu}${end}`,
  })
