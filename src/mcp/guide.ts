import type { Alternate } from '../core/alternate.ts'
import { toCodeBlock, toInline, toSections, toTable } from '../core/markdown.ts'
import type { Offer } from '../offers/offer.ts'
import { freeShelf, type ShelvedTool, toPaidShelf } from './tool-shelf.ts'

/** A part of the guide: a heading, a paragraph, and what there is to copy. */
interface Part {
  readonly id: string
  readonly title: string
  readonly text: string
  readonly code?: readonly { readonly label: string; readonly text: string; readonly language: string }[]
  readonly tools?: readonly ShelvedTool[]
}

/** How agents use the site through tools, in words that the page and its markdown share. */
export interface Guide {
  readonly title: string
  readonly lead: string
  readonly parts: readonly Part[]
}

/** Where the guide stands. */
export const guidePath = '/agents/mcp'

/** @param name of the site; programs know the server by it, in lower case */
export function toGuide(offers: readonly Offer[], baseUrl: string, name: string): Guide {
  const url = `${baseUrl}/api/mcp`
  const key = name.toLowerCase().replace(/[^a-z0-9]+/g, '-')
  const payment = { 'x402/payment': { x402Version: 2, accepted: { '…': '…' }, payload: { '…': '…' } } }
  const call = { name: 'buy_skill', arguments: { slug: 'x402-buyer' }, _meta: payment }
  return {
    title: 'MCP server',
    lead: 'One server with tools to read, search and buy everything here. It needs no account and no key.',
    parts: [
      {
        id: 'connect',
        title: 'Connect',
        text: 'The server speaks Streamable HTTP, in the revisions of 2025 and 2026, and keeps no sessions.',
        code: [
          { label: 'Address', text: url, language: 'text' },
          {
            label: 'Configuration of a client',
            text: JSON.stringify({ mcpServers: { [key]: { type: 'http', url } } }, null, 2),
            language: 'json',
          },
          { label: 'Claude Code', text: `claude mcp add --transport http ${key} ${url}`, language: 'sh' },
        ],
      },
      {
        id: 'free',
        title: 'Free tools',
        text: 'Posts, and what is free of the skills, are resources too, under the addresses of their markdown.',
        tools: Object.entries(freeShelf).map(([tool, words]) => ({ name: tool, ...words })),
      },
      {
        id: 'paid',
        title: 'Paid tools',
        text: 'The same products, prices and promises as over HTTP. Without payment they answer the terms, free.',
        tools: toPaidShelf(offers),
      },
      {
        id: 'pay',
        title: 'Pay',
        text: 'Call the tool. The result is an error whose structured content is a PaymentRequired of x402 version 2. Sign one of its terms, echo its extensions, and make the same call again with the payment in _meta, as an object or in base64. The same terms are in _meta["x402/error"], and what a tool costs at least is in the list of tools as _meta.x402, so wallets of every kind pay here. The result carries the settlement as _meta["x402/payment-response"] and links to the receipt.',
        code: [{ label: 'The paid call', text: JSON.stringify(call, null, 2), language: 'json' }],
      },
      {
        id: 'long',
        title: 'Long products',
        text: 'A text of more than 32 KiB is not poured into the answer: the answer shows how it begins and links to a resource. Read that with resources/read as often as you like, for seven days after you paid; its address is known to the buyer alone. An owner who asks later gets the whole text in the answer.',
      },
      {
        id: 'retry',
        title: 'Retry',
        text: 'Lost the answer, or got one that says retryable? Make the identical call with the identical payment: it is charged once, and for seven days it gets the same bytes. Terms are only answered when no money can have moved, so sign anew only then. One payment works over both ways: what was bought by a tool can be fetched over HTTP, with the payment in base64 as PAYMENT-SIGNATURE.',
      },
    ],
  }
}

/** The guide as markdown. */
export function toGuideAlternate(guide: Guide): Alternate {
  const parts = guide.parts.map(({ title, text, code = [], tools }) =>
    toSections(
      `## ${title}`,
      toInline(text),
      ...code.map(({ label, text, language }) => `${label}:\n\n${toCodeBlock(text, language)}`),
      tools &&
        toTable(
          ['Tool', 'Price', 'What it does'],
          tools.map(({ name, price = 'free', about }) => [`\`${name}\``, price, toInline(about)]),
        ),
    ),
  )
  return { path: guidePath, title: guide.title, summary: guide.lead, body: toSections(...parts) }
}
