interface Server {
  /** The name that the server reports when a client connects. */
  readonly name: string
  readonly title: string
  readonly description: string
  readonly version: string
  /** The origin of the host, without a trailing slash. */
  readonly origin: string
  /** The path of the server's endpoint. */
  readonly path: `/${string}`
}

/** The addresses at which clients look for server cards: there is no standard one yet. */
export const serverCardPaths = [
  '/.well-known/mcp/server-card.json',
  '/.well-known/mcp/server-cards.json',
  '/.well-known/mcp.json',
] as const

/**
 * The description of an MCP server for directories, which read it before they connect: the fields of the server card
 * (SEP-2127) and those that earlier readers look for. Tools are not listed, because the list could become outdated.
 */
export function toServerCard({ name, title, description, version, origin, path }: Server) {
  const reversed = new URL(origin).hostname.split('.').reverse().join('.')
  const endpoint = origin + path
  return {
    $schema: 'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json',
    name: `${reversed}/${name}`,
    title,
    description,
    version,
    websiteUrl: origin,
    remotes: [{ type: 'streamable-http', url: endpoint }],
    serverInfo: { name, title, version },
    transport: { type: 'streamable-http', endpoint },
    capabilities: { tools: {} },
  }
}
