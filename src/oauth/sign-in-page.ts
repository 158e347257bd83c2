import siteConfig from '../../site.config.ts'
import { escapeHtml } from '../core/escape-html.ts'
import { oauthPaths } from './places.ts'

/** One sign-in that waits for the operator, as its page shows it. */
export interface Waiting {
  readonly uid: string
  /** The name that the client chose. */
  readonly client: string | undefined
  /** The address that the browser is redirected to afterwards. */
  readonly redirect: URL
  /** What the client will be able to do, one sentence each. */
  readonly abilities: readonly string[]
  /** The wallet that can sign in; absent where nobody has its key. */
  readonly wallet: { readonly address: string; readonly message: string } | undefined
  /** The key of the link that was opened. */
  readonly key?: string | undefined
  /** Why the last proof was not accepted. */
  readonly notice?: string | undefined
}

const frame = (title: string, body: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escapeHtml(title)} · ${escapeHtml(siteConfig.name)}</title>
<link rel="stylesheet" href="/operator.css">
</head>
<body>
<header><a href="/">${escapeHtml(siteConfig.name)}</a></header>
<main>
${body}
</main>
</body>
</html>
`

/** A page with a heading and paragraphs. */
export const toNotePage = (title: string, ...paragraphs: readonly string[]): string =>
  frame(title, `<h1>${escapeHtml(title)}</h1>\n${paragraphs.map((text) => `<p>${escapeHtml(text)}</p>`).join('\n')}`)

/**
 * The page after a denial. The redirect to the client is left to a click, because a stranger may have sent the visitor
 * here only to get the redirect.
 */
export const toDeniedPage = (back: URL): string =>
  frame(
    'Denied',
    `<h1>Denied</h1>
<p>The program was given nothing. You can close this page.</p>
<p class="fine"><a href="${escapeHtml(back.href)}" rel="noreferrer">Tell ${escapeHtml(back.host)} about it</a></p>`,
  )

/**
 * The page that names the client and what it will be able to do, and asks the operator to prove who they are or to
 * deny.
 */
export function toSignInPage(waiting: Waiting): string {
  const { uid, redirect, abilities, wallet, key, notice } = waiting
  const client = waiting.client ?? 'A program without a name'
  const title = `Let ${client} act as the operator?`
  const action = escapeHtml(oauthPaths.signIn + uid)
  const sections =
    key === undefined ? [...askForLink(action), ...askForWallet(action, wallet)] : acceptLink(action, key)
  return frame(
    title,
    `<p class="kicker">Operator</p>
<h1>${escapeHtml(title)}</h1>
${notice === undefined ? '' : `<p class="notice" role="alert">${escapeHtml(notice)}</p>\n`}<p>If you agree, it can:</p>
<ul>
${abilities.map((ability) => `<li>${escapeHtml(ability)}</li>`).join('\n')}
</ul>
<p>It never sees a key and cannot move money. What it was given ends after 30 days, or when you run <code>npm run operator -- sign-out</code>.</p>
<p class="fine">The name is its own choice. The answer goes to ${toPlace(redirect)}. If you did not start this, deny it.</p>
${sections.join('\n')}
<form method="post" action="${action}">
<button class="quiet" name="answer" value="deny">Deny</button>
</form>`,
  )
}

const toPlace = ({ protocol, host }: URL): string =>
  `${protocol === 'https:' ? '' : 'a program on the computer of this browser, '}<strong>${escapeHtml(host)}</strong>`

const acceptLink = (action: string, key: string): string[] => [
  `<form method="post" action="${action}">
<input type="hidden" name="link" value="${escapeHtml(key)}">
<button name="answer" value="link">Allow</button>
</form>`,
]

const askForLink = (action: string): string[] => [
  `<section>
<h2>Show that you are the operator</h2>
<p>On the machine of this site, run:</p>
<pre><code>npm run operator -- sign-in</code></pre>
<form method="post" action="${action}">
<label for="link">Open the link it prints in this browser, or paste it here</label>
<input id="link" name="link" type="text" required autocomplete="off" spellcheck="false" maxlength="400">
<button name="answer" value="link">Allow</button>
</form>
</section>`,
]

const askForWallet = (action: string, wallet: Waiting['wallet']): string[] =>
  wallet
    ? [
        `<section>
<h2>Or sign with the wallet that receives the payments</h2>
<p class="address">${escapeHtml(wallet.address)}</p>
<form method="post" action="${action}" data-wallet="${escapeHtml(wallet.address)}">
<button type="button" data-wallet-button hidden>Sign with a wallet in this browser</button>
<p class="fine" role="status" data-wallet-status></p>
<details>
<summary>Sign this message elsewhere</summary>
<pre tabindex="0" data-wallet-message>${escapeHtml(wallet.message)}</pre>
<label for="signature">Signature</label>
<textarea id="signature" name="signature" rows="4" required autocomplete="off" spellcheck="false" placeholder="0x…"></textarea>
<button name="answer" value="wallet">Allow</button>
</details>
</form>
</section>
<script type="module" src="/operator-wallet.js"></script>`,
      ]
    : []
