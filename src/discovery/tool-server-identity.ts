import site from '../../site.config.ts'

/** A name of ASCII letters, digits and hyphens, for programs; `press` when a name in another script leaves nothing. */
export const toProgramName = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '') || 'press'

/** How the site's MCP server identifies itself to clients and in directories. */
export const toolServerIdentity = {
  name: toProgramName(site.name),
  title: site.name,
  version: '1.0.0',
  description: site.description,
} as const
