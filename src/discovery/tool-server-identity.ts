import site from '../../site.config.ts'

/** A name for programs, of letters, digits and hyphens; `press` for one in another script, of which nothing is left. */
export const toProgramName = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '') || 'press'

/** What the site's tool server calls itself, to clients and in directories. */
export const toolServerIdentity = {
  name: toProgramName(site.name),
  title: site.name,
  version: '1.0.0',
  description: site.description,
} as const
