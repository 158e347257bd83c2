import type { z } from 'zod'
import type { liveSchema } from '../../game-server/protocol/play-documents.ts'
import { type Html, html } from '../core/html.ts'
import { type Blocked, toBlockedText } from '../operator/blocks.ts'
import { toPage } from './frame.ts'
import { figure, formToken, moment, notice, table } from './parts.ts'

const toUnblock = (entry: Blocked, token: string): Html =>
  html`<form method="post" action="/operator/unblock">${formToken(token)}<input type="hidden" name="who" value="${entry.value}"><button class="small quiet">Unblock<span class="unseen"> ${toBlockedText(entry)}</span></button></form>`

/** The page of blocked wallets and addresses. */
export const toBlocksPage = (blocked: readonly Blocked[], token: string, said?: string): Html =>
  toPage({
    title: 'Blocked',
    place: '/operator/blocks',
    token,
    body: html`${notice(said)}
<p>Blocked callers are quoted no price and cannot buy. What they have already paid for is still delivered.</p>
<form method="post" action="/operator/blocks">${formToken(token)}
<label for="who">Wallet, or IP address (of IPv6 its /64 network)</label>
<input id="who" name="who" required autocomplete="off" spellcheck="false" maxlength="64">
<label for="reason">Why, for yourself</label>
<input id="reason" name="reason" autocomplete="off" maxlength="200">
<button>Block</button>
</form>
<h2>Blocked now</h2>
${
  blocked.length === 0
    ? html`<p class="fine">Nobody.</p>`
    : table(
        'Blocked now',
        ['Who', 'Since (UTC)', 'Why', 'Lift'],
        blocked.map((entry) => [
          html`<code>${toBlockedText(entry)}</code>`,
          moment(entry.since),
          entry.reason,
          toUnblock(entry, token),
        ]),
      )
}`,
  })

interface Players {
  readonly token: string
  /** The current players, or the reason why the game host cannot be reached. */
  readonly live: z.output<typeof liveSchema> | string
  readonly said?: string | undefined
}

const toOrder = (order: 'kick' | 'mute', name: string, token: string): Html =>
  html`<form method="post" action="/operator/orders">${formToken(token)}<input type="hidden" name="order" value="${order}"><input type="hidden" name="player" value="${name}"><button class="small quiet">${order === 'kick' ? 'Send away' : 'Mute'}<span class="unseen"> ${name}</span></button></form>`

const toPlayers = (players: z.output<typeof liveSchema>['players'], token: string): Html =>
  players.length === 0
    ? html`<p class="fine">Nobody is playing at the moment.</p>`
    : table(
        'Who plays now',
        ['Name', 'Kind', 'Mode', figure('Depth'), figure('Watchers'), 'For an hour'],
        players.map(({ name, kind, mode, depth, watchers }) => [
          name,
          kind,
          mode,
          depth,
          watchers,
          html`<div class="row">${toOrder('kick', name, token)}${toOrder('mute', name, token)}</div>`,
        ]),
      )

/** The page of the current players, with the orders that the operator may give. */
export const toPlayersPage = ({ token, live, said }: Players): Html =>
  toPage({
    title: 'Players',
    place: '/operator/players',
    token,
    body:
      typeof live === 'string'
        ? html`${notice(said)}<p class="notice">The game cannot be reached: ${live}.</p>`
        : html`${notice(said)}
<p>${live.playing} play now.</p>
${toPlayers(live.players, token)}
<h2>Say something to everybody</h2>
<form method="post" action="/operator/orders">${formToken(token)}
<input type="hidden" name="order" value="announce">
<label for="text">Announcement</label>
<input id="text" name="text" required maxlength="200" autocomplete="off">
<button>Announce</button>
</form>
<h2>Lift an order</h2>
<form method="post" action="/operator/orders">${formToken(token)}
<input type="hidden" name="minutes" value="0">
<label for="player">Name of the player</label>
<input id="player" name="player" required maxlength="24" autocomplete="off">
<button name="order" value="kick">Let in again</button>
<button class="quiet" name="order" value="mute">Let talk again</button>
</form>`,
  })
