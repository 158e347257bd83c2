interface Server {
  /** As the server calls itself when a client connects. */
  readonly name: string
  readonly title: string
  readonly description: string
  readonly version: string
  /** Of the host, without a trailing slash. */
  readonly origin: string
  /** Where it answers, below the host. */
  readonly path: `/${string}`
}

/** The addresses that readers of server cards try: the format has a name, but no settled place. */
export const serverCardPaths = [
  '/.well-known/mcp/server-card.json',
  '/.well-known/mcp/server-cards.json',
  '/.well-known/mcp.json',
] as const

/**
 * What directories want to know of a tool server before they connect: the fields of the server card (SEP-2127) and
 * those that earlier readers look for. Tools are not listed, because the server's own list cannot go stale.
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
