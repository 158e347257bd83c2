import type { Alternate } from '../core/alternate.ts'
import { toCodeBlock, toInline, toSections, toTable } from '../core/markdown.ts'
import type { Offer } from '../offers/offer.ts'
import { freeShelf, type ShelvedTool, toPaidShelf } from './tool-shelf.ts'

/** A part of the guide: a heading, a paragraph, code to copy, and tools. */
interface Part {
  readonly id: string
  readonly title: string
  readonly text: string
  readonly code?: readonly { readonly label: string; readonly text: string; readonly language: string }[]
  readonly tools?: readonly ShelvedTool[]
}

/** The guide for agents to the MCP tools; its page and its markdown share these texts. */
export interface Guide {
  readonly title: string
  readonly lead: string
  readonly parts: readonly Part[]
}

/** The path of the guide. */
export const guidePath = '/agents/mcp'

/**
 * The guide for the offers of a shop.
 *
 * @param name the name of the site; clients configure the server under it, in lower case
 */
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
        text: 'The server speaks Streamable HTTP, in its revisions of 2025 and 2026. It has no sessions.',
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
        text: 'Posts and the free parts of skills are also resources, at the addresses of their markdown.',
        tools: Object.entries(freeShelf).map(([tool, words]) => ({ name: tool, ...words })),
      },
      {
        id: 'paid',
        title: 'Paid tools',
        text: 'The same products, prices and promises as over HTTP. A call without payment is free, and its answer is the terms.',
        tools: toPaidShelf(offers),
      },
      {
        id: 'pay',
        title: 'Pay',
        text: 'Call the tool. The result is an error whose structured content is a PaymentRequired of x402 version 2. Sign one of the terms in it, copy its extensions into the payment, and make the same call again with the payment in _meta, as an object or in base64. The same terms are in _meta["x402/error"], and the lowest price of a tool is in the list of tools as _meta.x402, so that every kind of wallet can pay here. The result carries the settlement as _meta["x402/payment-response"] and links to the receipt.',
        code: [{ label: 'The paid call', text: JSON.stringify(call, null, 2), language: 'json' }],
      },
      {
        id: 'long',
        title: 'Long products',
        text: 'If a text is longer than 32 KiB, the answer shows only how it begins, and links to a resource. Read that with resources/read as often as you like, for seven days after you paid; only the buyer knows its address. An owner who asks later gets the whole text in the answer.',
      },
      {
        id: 'retry',
        title: 'Retry',
        text: 'If the answer is lost, or says retryable, make the identical call with the identical payment: it is charged once, and for seven days it gets the same bytes. The answer is terms only when no money can have moved: only then sign a new payment. One payment works both ways: what a tool sold you can be fetched over HTTP, too, with the payment in base64 as PAYMENT-SIGNATURE.',
      },
    ],
  }
}

/** The guide as a markdown alternate. */
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
