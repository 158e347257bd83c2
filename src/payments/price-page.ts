import { escapeHtml } from '../core/escape-html.ts'
import { toDisplay } from '../core/money.ts'
import { advertisedPrice, isDynamic, type Offer, pagePath } from '../offers/offer.ts'

/**
 * The HTML for a browser that opens a paid address without a built page: title, price and a link to the product page.
 */
export function toPricePage(offer: Offer, baseUrl: string): string {
  const title = escapeHtml(offer.title)
  const price = `${toDisplay(advertisedPrice(offer))}${isDynamic(offer) ? '+' : ''}`
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}: ${price}</title>
</head>
<body>
<main>
<p>402: payment required</p>
<h1>${title}</h1>
<p>${escapeHtml(offer.excerpt)}</p>
<p>${price} in USDC on Base. <a href="${escapeHtml(baseUrl + pagePath(offer))}">See what you get, and buy it</a>.</p>
</main>
</body>
</html>
`
}
