import type { GetStaticPaths } from 'astro'
import { shop } from '../../config/site-context.ts'
import { toolServerIdentity } from '../../discovery/tool-server-identity.ts'
import { serverCardPaths, toServerCard } from '../../discovery/well-known/server-card.ts'
import { prerendered } from '../../endpoints/served.ts'

export const getStaticPaths = (() =>
  serverCardPaths.map((path) => ({
    params: { card: path.slice('/.well-known/'.length, -'.json'.length) },
  }))) satisfies GetStaticPaths

/** The card of the MCP server, at every address where clients look for it. */
export const GET = () =>
  prerendered('/.well-known/mcp.json', toServerCard({ ...toolServerIdentity, origin: shop.baseUrl, path: '/api/mcp' }))
