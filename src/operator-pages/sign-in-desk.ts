import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Html, html } from '../core/html.ts'
import { makeTurns } from '../core/make-turns.ts'
import { readNodeBody } from '../http/read-body.ts'
import type { SignInLinks } from '../oauth/sign-in-links.ts'
import type { Asking } from '../oauth/sign-in-message.ts'
import { refusals, type WalletProofs } from '../oauth/wallet-proofs.ts'
import { sendDesk, sendOn, toPage } from './frame.ts'
import type { Sessions } from './session.ts'

const path = '/operator/sign-in'
const maxFormBytes = 32 * 1024
const waitMs = 10 * 60 * 1000
const usedLink = 'This link was used before, or has expired. Print a new one.'
const lateMessage = 'That message was too old, or not ours. Sign the one shown here now.'

interface Options {
  readonly sessions: Sessions
  readonly links: SignInLinks
  /** Absent when nobody can have the key of the wallet. */
  readonly proofs: (WalletProofs & { readonly address: string }) | undefined
  readonly baseUrl: string
  /** Secret key of this installation. */
  readonly key: Buffer
  readonly now: () => number
}

/** The message for the wallet to sign, and the ticket by which the form later tells which message it was. */
interface Asked {
  readonly asking: Asking
  readonly ticket: string
}

interface Shown {
  readonly ticket: string
  readonly wallet: { readonly address: string; readonly message: string } | undefined
  /** The secret of a printed link that was opened. */
  readonly link?: string | undefined
  readonly notice?: string
}

const acceptLink = (link: string, ticket: string): Html => html`<form method="post" action="${path}">
<input type="hidden" name="link" value="${link}">
<input type="hidden" name="ticket" value="${ticket}">
<p>This link signs this browser in for twelve hours, and works only once.</p>
<button name="answer" value="link">Sign in</button>
</form>`

const askForLink = (ticket: string): Html => html`<section>
<h2>Show that you are the operator</h2>
<p>On the machine of this site, run:</p>
<pre><code>npm run operator -- sign-in</code></pre>
<form method="post" action="${path}">
<input type="hidden" name="ticket" value="${ticket}">
<label for="link">Open the link it prints in this browser, or paste it here</label>
<input id="link" name="link" type="text" required autocomplete="off" spellcheck="false" maxlength="400">
<button name="answer" value="link">Sign in</button>
</form>
</section>`

const askForWallet = ({ address, message }: NonNullable<Shown['wallet']>, ticket: string): Html => html`<section>
<h2>Or sign with the wallet that receives the payments</h2>
<p class="address">${address}</p>
<form method="post" action="${path}" data-wallet="${address}">
<input type="hidden" name="ticket" value="${ticket}">
<button type="button" data-wallet-button hidden>Sign with a wallet in this browser</button>
<p class="fine" role="status" data-wallet-status></p>
<details>
<summary>Sign this message elsewhere</summary>
<pre tabindex="0" data-wallet-message>${message}</pre>
<label for="signature">Signature</label>
<textarea id="signature" name="signature" rows="4" required autocomplete="off" spellcheck="false" placeholder="0x&hellip;"></textarea>
<button name="answer" value="wallet">Sign in</button>
</details>
</form>
</section>
<script type="module" src="/operator-wallet.js"></script>`

const toSignIn = ({ ticket, wallet, link, notice }: Shown): Html =>
  toPage({
    title: 'Sign in',
    body: [
      notice !== undefined && html`<p class="notice" role="alert">${notice}</p>`,
      link === undefined ? [askForLink(ticket), wallet && askForWallet(wallet, ticket)] : acceptLink(link, ticket),
    ],
  })

/** The page where the operator signs a browser in, with the same proofs as for authorizing a client. */
export function makeSignInDesk({ sessions, links, proofs, baseUrl, key, now }: Options) {
  const turns = makeTurns()
  const seal = (text: string): string => createHmac('sha256', key).update(`desk ${text}`).digest('base64url')

  const toAsking = (uid: string, issuedAt: number): Asking => ({
    uid,
    client: 'operator page',
    redirect: new URL(baseUrl),
    issuedAt,
    expiresAt: issuedAt + waitMs,
  })

  function ask(): Asked {
    const issuedAt = now()
    const uid = randomBytes(16).toString('hex')
    return { asking: toAsking(uid, issuedAt), ticket: `${uid}.${issuedAt}.${seal(`${uid}.${issuedAt}`)}` }
  }

  /** The message of a ticket; undefined when the ticket is forged or too old. */
  function readTicket(ticket: string): Asking | undefined {
    const [, uid = '', time = '', shown = ''] = /^([0-9a-f]{32})\.(\d{1,15})\.([\w-]{43})$/.exec(ticket) ?? []
    const [mine, theirs] = [Buffer.from(seal(`${uid}.${time}`)), Buffer.from(shown)]
    if (mine.length !== theirs.length || !timingSafeEqual(mine, theirs)) return undefined
    const asking = toAsking(uid, Number(time))
    return asking.expiresAt > now() ? asking : undefined
  }

  function show(res: ServerResponse, more: Omit<Shown, 'ticket' | 'wallet'> & { readonly status?: number } = {}): void {
    const { status = 200, ...shown } = more
    const { asking, ticket } = ask()
    const wallet = proofs && { address: proofs.address, message: proofs.message(asking) }
    sendDesk(res, toSignIn({ ticket, wallet, ...shown }), { status })
  }

  /** Uses the proof in a form. Returns why it is refused; undefined when it is valid. */
  async function refuse(form: URLSearchParams, asking: Asking | undefined): Promise<string | undefined> {
    if (form.get('answer') !== 'wallet') return (await links.use(form.get('link') ?? '')) ? undefined : usedLink
    if (!asking) return lateMessage
    const proven = (await proofs?.use(asking, form.get('signature') ?? '')) ?? 'wrong'
    return proven === 'good' ? undefined : refusals[proven]
  }

  return {
    async read(req: IncomingMessage, res: ServerResponse): Promise<void> {
      if (await sessions.find(req)) sendOn(res, '/operator')
      else show(res)
    },

    /** The page of a printed link when no client waits for the sign-in. Opening it does not use the link up. */
    showLink: (res: ServerResponse, link: string): void => show(res, { link }),

    async answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
      sessions.assertOwnOrigin(req)
      const form = new URLSearchParams((await readNodeBody(req, maxFormBytes)) ?? '')
      const asking = readTicket(form.get('ticket') ?? '')
      const link = form.get('answer') === 'wallet' ? null : form.get('link')
      const press = asking && link !== null ? `${asking.uid} ${link.trim()}` : undefined
      const answer = async (): Promise<void> => {
        const notice = await refuse(form, asking)
        if (notice === undefined) return sendOn(res, '/operator', await sessions.open(press))
        const cookie = press === undefined ? undefined : await sessions.findOpened(press)
        if (cookie !== undefined) sendOn(res, '/operator', cookie)
        else if (await sessions.find(req)) sendOn(res, '/operator')
        else show(res, { notice, status: 403 })
      }
      // A double click sends the form twice, and browsers follow the second response, often before they have stored the
      // cookie of the first. So both are answered in turn, and the second one gets the same cookie.
      await (press === undefined ? answer() : turns.take(press, answer))
    },
  }
}
