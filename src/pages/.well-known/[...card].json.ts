import type { GetStaticPaths } from 'astro'
import { prerenderedJson } from '../../discovery/prerendered-json.ts'
import { toolServerIdentity } from '../../discovery/tool-server-identity.ts'
import { serverCardPaths, toServerCard } from '../../discovery/well-known/server-card.ts'
import { shop } from '../../site-context.ts'

export const getStaticPaths = (() =>
  serverCardPaths.map((path) => ({
    params: { card: path.slice('/.well-known/'.length, -'.json'.length) },
  }))) satisfies GetStaticPaths

/** The card of the tool server, wherever its readers look. */
export const GET = () =>
  prerenderedJson(toServerCard({ ...toolServerIdentity, origin: shop.baseUrl, path: '/api/mcp' }))
