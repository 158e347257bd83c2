import { sandboxAccounts } from '../../src/config/sandbox-accounts.ts'
import { type Html, html } from '../../src/core/html.ts'
import { toDisplay } from '../../src/core/money.ts'
import { playerNameInputPattern, playerNameRule } from '../../src/core/player-name.ts'
import { advertisedPrice } from '../../src/offers/offer.ts'
import type { CupForEntries } from '../store/cup-for-entries.ts'
import { type StoreProduct, storeProducts } from '../store/products.ts'
import { deathCard } from './death-card.ts'
import { frame, type Place } from './frame.ts'

/** The name in the commands until the reader has entered one. */
const anyName = 'YourName'

const command = (title: string, text: string): Html => html`<div class="command">
<p class="fine">${title}</p>
<pre tabindex="0" role="group" aria-label="${title}"><code data-command>${text}</code></pre>
<button type="button" data-copy>Copy</button>
</div>`

/** The wallet that pays in the sandbox, with simulated money. */
const { address: testWallet } = sandboxAccounts.buyer

const product = (
  { gameUrl, baseUrl, isSandbox }: Place,
  { sku, kind, name, description, creditPrice, offer }: StoreProduct,
  cup: CupForEntries,
): Html => {
  const micros = advertisedPrice(offer)
  const price = toDisplay(micros)
  const body = JSON.stringify({ sku, playerName: anyName })
  const rest = `${gameUrl + offer.path} --max-usd ${price.slice(1)} \\\n  -d '${body}'`
  return html`<li class="product" data-sku="${sku}" data-checkout data-amount="${micros.toString()}"${isSandbox && html` data-test-wallet="${testWallet}"`}>
<h2 id="${sku}">${name}</h2>
<p class="price">${price}${creditPrice !== null && html` <span class="credit-price">or ${creditPrice} credits</span>`}</p>
<p>${description}</p>
${kind === 'tournament' && html`<p class="note"><b>${cup.text}</b> <a href="/cup">How to enter</a></p>`}
<ul class="delivers">${offer.delivers.map((thing) => html`<li>${thing}</li>`)}</ul>
<button type="button" class="first" aria-describedby="${sku}" data-buy>Pay <span data-price>${price}</span></button>
${isSandbox && html`<button type="button" aria-describedby="${sku}" data-buy-own>Pay with my own wallet</button>`}
<div class="wallets" data-wallets></div>
<div class="status" role="status" data-status></div>
<div class="bought" role="log" aria-label="Bought: ${name}" data-bought></div>
<details><summary>Pay from a terminal</summary>
${command('In a copy of this press', `npm run buy -- ${rest}`)}
${command('With Node 20 or newer, anywhere', `curl -fsSLO ${baseUrl}/buy.mjs\nnode buy.mjs ${rest}`)}
</details>
</li>`
}

const frames = [
  ['frame_gold', 'gold', 'in the tips from $10'],
  ['frame_legend', 'legend', 'in the tip of $25'],
  ['frame_neon', 'neon', 'in the death frames'],
  ['frame_void', 'void', 'in the death frames'],
] as const

const samples = html`<ul class="frames">${frames.map(
  ([id, name, where]) =>
    html`<li>${deathCard({
      id: '',
      name: 'Ada',
      kind: 'human',
      cause: 'killed by a goblin',
      depth: 4,
      turn: 812,
      gold: 96,
      kills: 14,
      score: 4192,
      hasWon: false,
      at: Date.UTC(2026, 9, 31),
      frame: id,
    })}<p class="fine">${name}: ${where}</p></li>`,
)}</ul>`

/** Shown when a player is stored in this browser. */
const ownThings = html`<section class="own" hidden data-own>
<h2>What <span data-own-name></span> has</h2>
<p><b data-own-credits></b> credits, and <span data-own-things></span>.</p>
<form data-own-frame-form><label for="own-frame">The frame around your next gravestone</label>
<select id="own-frame" data-own-frame></select><button type="submit">Use it</button></form>
<form hidden data-own-shout-form><label for="own-shout">A line for the entrance wall, one a day</label>
<input id="own-shout" maxlength="60" required autocomplete="off" data-own-shout><button type="submit">Write it</button></form>
<p role="status" data-own-status></p>
</section>`

const redeemable = storeProducts.filter(({ creditPrice }) => creditPrice !== null)

const redeemForm = html`<form class="redeem" method="dialog" data-redeem>
<p>Each depth that a life reaches for the first time earns as many credits as its number, at most 40 a day. Credits buy the same things.</p>
<p><label for="redeem-sku">What</label><select id="redeem-sku" data-redeem-sku>${redeemable.map(
  ({ sku, name, creditPrice }) => html`<option value="${sku}">${name}, ${creditPrice ?? 0} credits</option>`,
)}</select></p>
<p><label for="redeem-token">The player's token</label><input id="redeem-token" type="password" autocomplete="off" required data-redeem-token></p>
<p class="fine">This browser fills in the token of the player who played here last. In the game you find yours in the menu.</p>
<button type="submit">Redeem</button>
<p role="status" data-redeem-status></p>
</form>`

/** The page of the store. */
export const storePage = (place: Place, cup: CupForEntries): Html =>
  frame(place, {
    title: 'Store',
    description:
      'Frames for your gravestone, tips, and entries for the Agent Cup. Nothing here makes anybody stronger.',
    path: '/store.html',
    script: 'store.js',
    main: html`<div data-store data-base="${place.baseUrl}">
<h1>Store</h1>
<p class="lead">Five things that change how you are remembered. None of them changes how the game plays: the dungeon does not know what you bought.</p>
<div class="buyer"><label for="store-name">For which player</label>
<input id="store-name" autocomplete="nickname" autocapitalize="off" spellcheck="false" maxlength="24" required pattern="${playerNameInputPattern}" title="${playerNameRule}" aria-describedby="store-name-rule" data-store-name>
<p class="fine" id="store-name-rule">It may be a friend's name. If nobody plays under the name yet, you get its key after paying, once.</p>
${place.isSandbox && html`<p class="fine">This is a sandbox: its test wallet pays, with simulated money.</p>`}
<noscript><p>The buttons need JavaScript. The commands under each product do not.</p></noscript></div>
${ownThings}
<ul class="products">${storeProducts.map((each) => product(place, each, cup))}</ul>
<h2>The frames</h2>
${samples}
<h2>With credits</h2>
${redeemForm}
<h2>How paying works</h2>
<p>You pay in USDC on Base, by <a href="${place.baseUrl}/agents">x402</a>: the store says its price with a 402, your wallet signs one transfer of exactly that amount, and the product is yours when the chain confirms the transfer. If anything fails in between, send the same signature again: nothing is charged twice.</p>
<p>If your program uses the standard x402 client: it refuses prices above $1 unless you raise its limit, as with <code>.setSpendControls({ maxAmountPerPayment: '$25' })</code>. The catalog is <a href="/api/store">JSON</a>, and <code>POST ${place.gameUrl}/api/store/unlock</code> takes <code>sku</code> and <code>playerName</code>.</p>
<p>If you lose the token, you lose the name. There is no account behind it, so nobody can give it back.</p>
</div>`,
  })
