import { retryRule } from '../core/buying-rules.ts'
import { escapeHtml } from '../core/escape-html.ts'
import { toDisplay } from '../core/money.ts'
import { advertisedPrice, isDynamic, type Offer, pagePath } from '../offers/offer.ts'

/** The page a person sees who opens a paid address: what it is, what it costs, where to go. Same status and header. */
export function toPaywall(offer: Offer, baseUrl: string): string {
  const title = escapeHtml(offer.title)
  const price = `${toDisplay(advertisedPrice(offer))}${isDynamic(offer) ? '+' : ''}`
  const page = escapeHtml(baseUrl + pagePath(offer))
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}: ${price}</title>
<link rel="stylesheet" href="/paywall.css">
</head>
<body>
<main>
<p>402: payment required</p>
<h1>${title}</h1>
<p>${escapeHtml(offer.excerpt)}</p>
<p class="price">${price} <small>in USDC on Base</small></p>
<p>This address is for programs that pay by themselves. <a href="${page}">See what you get, a sample, and how to buy it</a>.</p>
<pre><code>curl -fsSLO ${escapeHtml(baseUrl)}/buy.mjs
node buy.mjs ${escapeHtml(baseUrl + offer.path)}</code></pre>
<p>${escapeHtml(retryRule)}</p>
<p><a href="/agents">How paying works</a> · <a href="/skills">Skills</a> · <a href="/apis">APIs and content</a></p>
</main>
</body>
</html>
`
}
