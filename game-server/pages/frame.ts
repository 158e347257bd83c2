import site from '../../site.config.ts'
import { type Html, html, toStructuredData } from '../../src/core/html.ts'
import { type AssetName, type AssetPath, wordFaces } from './assets.ts'

/** The URLs and assets of this installation, which pages link to. */
export interface Place {
  /** The URL of the game host, without a trailing slash. */
  readonly gameUrl: string
  /** The URL of the site. */
  readonly baseUrl: string
  readonly wsUrl: string
  /** Whether money is simulated here. */
  readonly isSandbox: boolean
  readonly asset: AssetPath
}

/** One page, without the header and footer that all pages share. */
export interface Page {
  readonly title: string
  readonly description: string
  /** Its URL path. A page without one is not indexed by search engines. */
  readonly path?: string
  readonly script?: AssetName
  /** The preview image of links to it. */
  readonly image?: { readonly path: string; readonly alt: string }
  /** Structured data for search engines (schema.org). */
  readonly data?: object
  /** `game` fills the whole window and has no header or footer. */
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

/** The note that money is simulated; the game's page has a shorter one to save room. */
const sandboxMark = (baseUrl: string, isShort: boolean): Html =>
  html`<aside class="sandbox" aria-label="Sandbox">Simulated money${!isShort && ': this is a sandbox, and nothing here costs anything'}. <a href="${baseUrl}/agents">How it works</a></aside>`

/** The HTML document of a page. */
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
