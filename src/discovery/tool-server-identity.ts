import site from '../../site.config.ts'

/** What the site's tool server calls itself, to clients and in directories. */
export const toolServerIdentity = {
  /** For programs: letters, digits and hyphens. */
  name: site.name.toLowerCase().replace(/[^a-z0-9]+/g, '-'),
  title: site.name,
  version: '1.0.0',
  description: site.description,
} as const
