import type { ServerResponse } from 'node:http'
import siteConfig from '../../site.config.ts'
import { type Html, html, type Part, toDocument } from '../core/html.ts'

/** The pages of the operator, in the order of their menu. */
const menu = [
  ['/operator', 'Sales'],
  ['/operator/payments', 'Payments'],
  ['/operator/jobs', 'Jobs and storage'],
  ['/operator/mentions', 'Mentions'],
  ['/operator/blocks', 'Blocked'],
  ['/operator/players', 'Players'],
] as const

export type Place = (typeof menu)[number][0]

interface Frame {
  readonly title: string
  /** The page within the menu; absent when nobody is signed in. */
  readonly place?: Place
  /** The form token of the session, for the sign-out form. */
  readonly token?: string
  /** Whether a script updates the page when something changes. */
  readonly isLive?: boolean
  readonly body: Part
}

const toMenu = ({ place, token }: Frame): Part =>
  token !== undefined &&
  html`<nav aria-label="Operator">
<ul>${menu.map(([path, name]) => html`<li><a href="${path}"${path === place && html` aria-current="page"`}>${name}</a></li>`)}</ul>
<form method="post" action="/operator/sign-out"><input type="hidden" name="token" value="${token}"><button class="quiet">Sign out</button></form>
</nav>`

/**
 * Without scripts, live pages are reloaded by hand: an automatic reload would lose what the operator is typing into a
 * form.
 */
const loadAgain = html`<noscript><p><a href="">Load this page again</a> to see what has happened since.</p></noscript>`

/** The document of an operator page. */
export const toPage = (frame: Frame): Html => html`<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${frame.title} &middot; ${siteConfig.name}</title>
<link rel="stylesheet" href="/operator.css">
<link rel="stylesheet" href="/operator-desk.css">
${frame.isLive && html`<script type="module" src="/operator-live.js"></script>`}
</head>
<body class="desk">
<header><a href="/">${siteConfig.name}</a></header>
${toMenu(frame)}
<main>
<p class="kicker">Operator</p>
<h1>${frame.title}</h1>
${frame.isLive && loadAgain}
${frame.body}
</main>
</body>
</html>
`

const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'"

/** Headers of private pages: not cached and not indexed. Forms send their origin, which `assertOwnOrigin` needs. */
export const privateHeaders = {
  'cache-control': 'no-store',
  'x-robots-tag': 'noindex',
  'referrer-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
} as const

/** Sends an operator page. */
export function sendDesk(
  res: ServerResponse,
  page: Html,
  { status = 200, cookie }: { readonly status?: number; readonly cookie?: string } = {},
): void {
  const text = toDocument(page)
  res
    .writeHead(status, {
      ...privateHeaders,
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policy,
      'content-length': Buffer.byteLength(text),
      ...(cookie !== undefined && { 'set-cookie': cookie }),
    })
    .end(text)
}

/** Redirects (303) after a form, so that reloading the page does not send the form again. */
export const sendOn = (res: ServerResponse, location: string, cookie?: string): void =>
  void res
    .writeHead(303, {
      ...privateHeaders,
      location,
      'content-length': 0,
      ...(cookie !== undefined && { 'set-cookie': cookie }),
    })
    .end()
