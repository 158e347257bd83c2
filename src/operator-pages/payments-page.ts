import { showUnits } from '../core/assets.ts'
import { type Html, html } from '../core/html.ts'
import { isTestNetwork, showNetwork } from '../core/networks.ts'
import { nextSteps, type OpenPayment, type ShownSale } from '../operator/payment-states.ts'
import { type RefundCase, toRefundNote } from '../operator/refunds.ts'
import { paidUnits } from '../payments/ledger/payment-row.ts'
import type { ReceiptSigner } from '../payments/proof/receipt-signer.ts'
import { toPage } from './frame.ts'
import { ends, figure, formToken, moment, notice, paid, table } from './parts.ts'
import { toSales } from './sales-page.ts'

interface Payments {
  readonly token: string
  /** The digest of the ledger (`ChangeWatch.mark`) from before the data was read. */
  readonly mark: string
  readonly open: { readonly count: number; readonly payments: readonly OpenPayment[] }
  readonly doubted: readonly ShownSale[]
  readonly reversed: readonly ShownSale[]
  readonly newest: readonly ShownSale[]
}

const toOpen = (caption: string, payments: readonly OpenPayment[]): Html =>
  table(
    caption,
    ['Asked at (UTC)', 'Product', figure('Amount'), 'Payer', 'Signature good until'],
    payments.map((payment) => [
      moment(payment.createdAt),
      html`<code>${payment.product}</code>`,
      paid(payment),
      ends(payment.payer),
      // A signature may be valid for longer than the largest date (8.64e15 ms).
      moment(Math.min(payment.validBefore * 1000, 8.64e15)),
    ]),
  )

const section = (title: string, advice: string, shown: Html | undefined): Html =>
  html`<h2>${title}</h2>${shown ? html`<p>${advice}</p>${shown}` : html`<p class="fine">None.</p>`}`

const ofState = (payments: readonly OpenPayment[], wanted: OpenPayment['state'], caption: string): Html | undefined => {
  const some = payments.filter(({ state }) => state === wanted)
  return some.length === 0 ? undefined : toOpen(caption, some)
}

const ofSales = (sales: readonly ShownSale[], caption: string): Html | undefined =>
  sales.length === 0 ? undefined : toSales(caption, sales)

/** The page of payments that are not simply settled, with advice, and of the newest sales, for refunds. */
export const toPaymentsPage = ({ token, mark, open, doubted, reversed, newest }: Payments): Html =>
  toPage({
    title: 'Payments',
    place: '/operator/payments',
    token,
    isLive: true,
    body: html`<div id="live" data-live="/operator/events?since=${mark}">
${section('Sent, and not known to have arrived', nextSteps.settling, ofState(open.payments, 'settling', 'Payments on their way'))}
${section('Delivered, not seen by your RPC', nextSteps.doubted, ofSales(doubted, 'Doubted sales'))}
${section('Made, and never paid', nextSteps.ready, ofState(open.payments, 'ready', 'Unpaid products'))}
${section('Lost on the chain', nextSteps.reversed, ofSales(reversed, 'Reversed sales'))}
${open.count > open.payments.length && html`<p>Only the oldest ${open.payments.length} of ${open.count} open payments are shown.</p>`}
${section('Settled', 'The newest, for when somebody wants money back.', ofSales(newest, 'Settled sales'))}
</div>
<h2>Money back</h2>
<form class="row" method="get" action="/operator/refund">
<div><label for="receipt">Number of a receipt</label><input id="receipt" name="receipt" required pattern="r_[0-9a-f]{32}" autocomplete="off" spellcheck="false"></div>
<button>Find it</button>
</form>`,
  })

const toRecorded = (refund: NonNullable<RefundCase['refund']>, signer: ReceiptSigner): Html => {
  const { text, facts, signed } = toRefundNote(refund, signer)
  return html`<h2>Sent back</h2>
<p>${refund.seen === 'chain' ? 'The chain shows the transfer.' : 'Recorded as you stated it.'} The receipt says so, too.</p>
<p>For the buyer:</p>
<pre tabindex="0">${text}
${JSON.stringify(facts, null, 2)}
Signed (JWS):
${signed}</pre>`
}

const toForm = ({ sale }: RefundCase, token: string): Html => html`<h2>1. Send it</h2>
<p>From one of your wallets, send <strong>${showUnits(paidUnits(sale), sale.asset)}</strong> (${String(paidUnits(sale))} atomic units, or more) to:</p>
<pre tabindex="0">${sale.payer}</pre>
<p class="fine">On ${showNetwork(sale.network)}, the token ${sale.asset}. The shop has no key to your money and sends nothing by itself.</p>
<h2>2. Record it</h2>
<form method="post" action="/operator/refunds/${sale.id}">${formToken(token)}
<label for="transaction">Transaction, which the chain is asked about</label>
<input id="transaction" name="transaction" autocomplete="off" spellcheck="false" maxlength="66" placeholder="0x&hellip;">
<label for="note">Note for the receipt; without a transaction, how it was done by hand</label>
<input id="note" name="note" autocomplete="off" maxlength="500">
<button>Record the refund</button>
</form>`

interface RefundPage {
  readonly token: string
  readonly signer: ReceiptSigner
  readonly said?: string | undefined
}

/** The page to refund one sale, or to see its refund. */
export const toRefundPage = (found: RefundCase, { token, signer, said }: RefundPage): Html => {
  const { sale, refund } = found
  return toPage({
    title: 'Refund',
    place: '/operator/payments',
    token,
    body: html`${notice(said)}
<dl class="facts"><div><dt>Paid</dt><dd>${paid({ ...sale, isTest: isTestNetwork(sale.network) })}</dd></div><div><dt>For</dt><dd>${sale.product}</dd></div><div><dt>Settled (UTC)</dt><dd>${moment(sale.settled_at)}</dd></div></dl>
<p><a href="/receipts/${sale.id}">Receipt <code>${sale.id}</code></a></p>
${refund ? toRecorded(refund, signer) : sale.reversed_at === null ? toForm(found, token) : html`<p>${nextSteps.reversed}</p>`}`,
  })
}
