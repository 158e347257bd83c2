/** Where agents and editors look at a site, in the order in which the report lists them. */
export const surfacePaths = [
  '/',
  '/sitemap.xml',
  '/robots.txt',
  '/rss.xml',
  '/feed.json',
  '/llms.txt',
  '/llms-full.txt',
  '/skills.json',
  '/api/catalog.json',
  '/_cms/admin/',
  '/_cms/api/mcp',
  '/.well-known/oauth-protected-resource',
] as const

export type SurfacePath = (typeof surfacePaths)[number]
