import type { Offer } from '../offers/offer.ts'
import type { ServerIdentity } from './make-tool-server.ts'
import type { Tool } from './tool.ts'
import { toPaidShelf } from './tool-shelf.ts'

/** The response to a GET of the MCP address by a program: where to connect, the tools, and their prices. */
export function toDescriptor(
  { name, title, version, description, baseUrl }: ServerIdentity,
  tools: readonly Tool[],
  offers: readonly Offer[],
) {
  const prices = new Map(toPaidShelf(offers).map((tool) => [tool.name, tool.price]))
  const url = `${baseUrl}/api/mcp`
  return {
    name,
    title,
    version,
    description,
    docs: `${baseUrl}/agents/mcp`,
    url,
    transport: 'streamable-http',
    protocol_versions: ['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26'],
    config: { mcpServers: { [name]: { type: 'http', url } } },
    payment: {
      protocol: 'x402',
      version: 2,
      how: 'Call the tool; sign one of the terms in structuredContent.accepts (also in _meta["x402/error"]); call again with the payment as _meta["x402/payment"]',
    },
    tools: tools.map((tool) => ({
      name: tool.name,
      title: tool.title,
      description: tool.description,
      price: prices.get(tool.name) ?? null,
    })),
  }
}
