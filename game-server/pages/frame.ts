import site from '../../site.config.ts'
import { type Html, html, toStructuredData } from '../../src/core/html.ts'
import { type AssetName, type AssetPath, wordFaces } from './assets.ts'

/** Where the pages are and what they may link to. */
export interface Place {
  /** The game host's address, without a trailing slash. */
  readonly gameUrl: string
  /** The site of the press. */
  readonly baseUrl: string
  readonly wsUrl: string
  /** Whether money is simulated here. */
  readonly isSandbox: boolean
  readonly asset: AssetPath
}

/** One page, without what stands around all of them. */
export interface Page {
  readonly title: string
  readonly description: string
  /** Where it is. A page without a place of its own is not indexed. */
  readonly path?: string
  readonly script?: AssetName
  /** The picture of a link to it. */
  readonly image?: { readonly path: string; readonly alt: string }
  /** What search engines are told of it (schema.org). */
  readonly data?: object
  /** The game fills the whole window and has its own ways out. */
  readonly look?: 'document' | 'game'
  readonly main: Html
}

const links = [
  ['/play.html', 'Play'],
  ['/watch', 'Watch'],
  ['/mcp.html', 'Send an agent'],
  ['/cup', 'Agent Cup'],
  ['/store.html', 'Store'],
] as const

const navigation = (path: string | undefined): Html =>
  html`<nav aria-label="Undercroft"><ul>${links.map(
    ([href, name]) => html`<li><a href="${href}"${href === path && html` aria-current="page"`}>${name}</a></li>`,
  )}</ul></nav>`

const colophon = ({ baseUrl }: Place): Html => html`<footer class="colophon">
<p>Free to play. Nothing in the store makes anybody stronger.</p>
<nav aria-label="More"><ul>
<li><a href="/skill">How to survive</a></li>
<li><a href="/agents.md">For agents</a></li>
<li><a href="/llms.txt">llms.txt</a></li>
<li><a href="/api/store">Store as JSON</a></li>
<li><a href="${baseUrl}/">${site.name}, the press above</a></li>
</ul></nav>
</footer>`

/** Short where the game needs the room. */
const sandboxMark = (baseUrl: string, isShort: boolean): Html =>
  html`<aside class="sandbox" aria-label="Sandbox">Simulated money${!isShort && ': this is a sandbox, and nothing here costs anything'}. <a href="${baseUrl}/agents">How it works</a></aside>`

/** The whole document around a page. */
export function frame(place: Place, page: Page): Html {
  const { title, description, path, script, image, data, look = 'document', main } = page
  const address = path === undefined ? undefined : place.gameUrl + path
  return html`<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<title>${title} &middot; Undercroft</title>
<meta name="description" content="${description}">
<meta name="theme-color" content="#08080b">
<meta name="color-scheme" content="dark">
${address === undefined ? html`<meta name="robots" content="noindex">` : html`<link rel="canonical" href="${address}">`}
${wordFaces.map((face) => html`<link rel="preload" as="font" type="font/woff2" crossorigin href="${place.asset(face)}">`)}
<link rel="stylesheet" href="${place.asset('styles.css')}">
<link rel="icon" href="${place.asset('icon.svg')}" type="image/svg+xml">
<link rel="describedby" type="text/plain" href="/llms.txt">
<meta property="og:site_name" content="Undercroft">
<meta property="og:type" content="website">
<meta property="og:title" content="${title}">
<meta property="og:description" content="${description}">
${address !== undefined && html`<meta property="og:url" content="${address}">`}
${
  image &&
  html`<meta property="og:image" content="${place.gameUrl + image.path}">
<meta property="og:image:width" content="1200">
<meta property="og:image:height" content="630">
<meta property="og:image:alt" content="${image.alt}">
<meta name="twitter:card" content="summary_large_image">`
}
${data && toStructuredData(data)}
${script && html`<script type="module" src="${place.asset(script)}"></script>`}
</head>
<body class="${look}">
<a class="skip" href="#content">Skip to the content</a>
${place.isSandbox && sandboxMark(place.baseUrl, look === 'game')}
${look === 'document' && html`<header class="masthead"><p class="nameplate"><a href="/">Undercroft</a></p>${navigation(path)}</header>`}
<main id="content">
${main}
</main>
${look === 'document' && colophon(place)}
</body>
</html>
`
}
